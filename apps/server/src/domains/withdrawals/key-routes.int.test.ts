import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors, withdrawalStatus } from '@coffer/contract'
import { webhook } from '@coffer/contract/callbacks/webhooks.ts'
import { untilBlocked } from '@coffer/local/testing/until.ts'
import { tx } from '../../kit/db.ts'
import { makeApp } from '../../serve.ts'
import { breakOnce } from '../../testing/break.ts'
import { bridgedEth } from '../../testing/bridged-world.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testApplication } from '../../testing/merchants.ts'
import { bsc, rowsOf } from '../../testing/money.ts'
import { atShell } from '../../testing/operators.ts'
import { outside, withdrawalWorld } from '../../testing/withdrawals.ts'
import { writeChains } from '../chains/sync-chains.ts'
import { refundOwner } from '../refunds/owner.ts'
import { approveWithdrawal } from './decide-withdrawal.ts'
import { createOncePerNumber } from './once-per-number.ts'
import { withdrawalOwner } from './owner.ts'
import { requestWithdrawal } from './request-withdrawal.ts'
import { findWithdrawalByOutNo } from './store.ts'

const world = await withdrawalWorld({ after }, { config: { withdrawApprovalAbove: 50 } })
const { deps, owner } = world
const app = await makeApp(deps)
after(() => app.close())
const listed = '10.1.2.3'
const payoutApp = { payouts_allowed: true, ip_whitelist_enabled: true, ip_whitelist: [listed] }
const notify = (name: string) => ({ notify_url: `https://${name}.example/notify` })

/** A merchant with 1,000 USDT and three applications, of which the last may not pay out and mutes two events. */
async function merchantWithKeys() {
  const merchant = await world.newMerchant()
  const shop = await testApplication(deps, merchant.id, { ...payoutApp, ...notify('shop') })
  const other = await testApplication(deps, merchant.id, { ...payoutApp, ...notify('other') })
  const silent = await testApplication(deps, merchant.id, notify('silent'))
  await owner.query(
    `update applications set callbacks_muted = '["withdrawal.created", "withdrawal.sent"]' where appid = $1`,
    [silent.appid],
  )
  return { merchant, shop, other, silent, balances: () => world.balances('eth:USDT', merchant.id) }
}

interface Answer {
  status: number
  code: number
  field?: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests read what they expect
  data: any
}
async function call(key: string, method: 'GET' | 'POST', path: string, body?: object, ip = listed): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const sent = { method, url: `/api/v1/pay${path}`, remoteAddress: ip, headers, ...(body && { payload: body }) }
  const answer = await app.inject(sent)
  return { status: answer.statusCode, ...answer.json() }
}
const requested = (out_no: string, more: object = {}) => ({
  out_no,
  chain: 'eth',
  token: 'USDT',
  amount: '20',
  address: outside,
  ...more,
})
const events = (number: string) =>
  rowsOf(owner, 'select appid, event, seq, body, url from callbacks where trade_no = $1 order by appid, seq', [number])
const names = async (number: string, appid: string) =>
  (await events(number)).filter(each => each.appid === appid).map(each => each.event)

test('a key pays out only when its merchant has allowed it, from the listed addresses', async () => {
  const { shop, silent, balances } = await merchantWithKeys()
  const refused = async (key: string, body: object, ip?: string) =>
    (await call(key, 'POST', '/withdrawals', body, ip)).code
  assert.equal(await refused(silent.key, requested('no')), errors.payouts_not_allowed.code)
  assert.equal(await refused(shop.key, requested('no'), '10.1.2.4'), errors.ip_not_allowed.code)
  assert.equal(await refused(shop.key, requested('no', { token: 'NONE' })), errors.currency_not_exist.code)
  assert.equal(await refused(shop.key, requested('no', { amount: '0.1' })), errors.amount_too_small.code)
  assert.equal(await refused(shop.key, requested('no', { amount: '99999' })), errors.insufficient_balance.code)
  assert.equal(await refused(shop.key, requested('no', { address: '0x12' })), errors.bad_address.code)
  await assert.rejects(
    owner.query('update applications set ip_whitelist_enabled = false where appid = $1', [shop.appid]),
    /applications_payouts_from/,
  )
  assert.deepEqual(await balances(), ['1000000000', '0'])
})

test('the same number is one withdrawal, however often and at once it is requested', async () => {
  const { shop, other, balances } = await merchantWithKeys()
  const many = await Promise.all(
    Array.from({ length: 8 }, () => call(shop.key, 'POST', '/withdrawals', requested('W-1'))),
  )
  assert.deepEqual([...new Set(many.map(each => each.status))], [200])
  assert.equal(new Set(many.map(each => each.data.id)).size, 1)
  const { data } = many[0]!
  assert.deepEqual([data.out_no, data.status, data.amount], ['W-1', withdrawalStatus.transferring, '20'])
  assert.deepEqual(data.warnings, ['first_payment'], 'and not only on the page')
  assert.deepEqual(await balances(), ['980000000', '20000000'])
  const again = await call(shop.key, 'POST', '/withdrawals', requested('W-1', { amount: '21' }))
  assert.deepEqual([again.code, again.status, again.field], [errors.reference_conflict.code, 409, 'out_no'])
  const others = await call(other.key, 'POST', '/withdrawals', requested('W-1'))
  assert.notEqual(others.data.id, data.id, 'numbers are per application')
  assert.deepEqual(await names(data.id, shop.appid), ['withdrawal.created'])
})

test('a request that waited for the same one gets its withdrawal, even if the balance covers only one', async () => {
  const { merchant, shop } = await merchantWithKeys()
  const holder = await owner.connect()
  try {
    await holder.query('begin')
    await holder.query('select from merchants where id = $1 for update', [merchant.id])
    const both = [1, 2].map(() => call(shop.key, 'POST', '/withdrawals', requested('W-most', { amount: '900' })))
    await untilBlocked(owner, both.length)
    await holder.query('commit')
    const [one, two] = await Promise.all(both)
    assert.deepEqual([one!.code, two!.code], [200, 200])
    assert.equal(one!.data.id, two!.data.id)
    await call(shop.key, 'POST', `/withdrawals/${one!.data.id}/cancel`, {})
  } finally {
    holder.release(true)
  }
})

test('a crash in the middle leaves nothing, and the repeated request makes it', async () => {
  const { merchant, shop, balances } = await merchantWithKeys()
  const before = await balances()
  const broken = { ...deps, pool: breakOnce(deps.pool, /insert into callbacks/) }
  const byKey = { appid: shop.appid, outNo: 'W-crash', bodyHash: Buffer.alloc(32), madeBy: merchant.id }
  const input = { merchantId: merchant.id, byKey, assetId: 'eth:USDT', address: outside, amount: '5' }
  const from = { ip: listed, device: '', language: 'en' as const }
  const request = (with_: typeof deps) =>
    createOncePerNumber(with_, findWithdrawalByOutNo, merchant.id, byKey, () =>
      requestWithdrawal(with_, { ...input, from }),
    )
  await assert.rejects(request(broken), /killed here/)
  assert.deepEqual(await balances(), before)
  const id = await request(deps)
  assert.equal(await request(deps), id)
})

test('each key sees and cancels its own withdrawals only', async () => {
  const { shop, other } = await merchantWithKeys()
  const { id } = (await call(shop.key, 'POST', '/withdrawals', requested('W-2', { remark: 'rent' }))).data
  for (const ref of [id, 'out:W-2']) {
    const { data } = await call(shop.key, 'GET', `/withdrawals/${ref}`)
    assert.deepEqual([data.id, data.remark, data.address.toLowerCase()], [id, 'rent', outside])
    assert.equal((await call(other.key, 'GET', `/withdrawals/${ref}`)).code, errors.withdrawal_not_exist.code)
  }
  const list = async (key: string, query: string) => (await call(key, 'GET', `/withdrawals?${query}`)).data
  assert.deepEqual([(await list(shop.key, 'out_no=W-2')).total, (await list(other.key, 'out_no=W-2')).total], [1, 0])
  assert.ok((await list(shop.key, '')).list.every((each: { appid: string }) => each.appid === shop.appid))
  assert.equal((await call(other.key, 'POST', `/withdrawals/${id}/cancel`, {})).code, errors.withdrawal_not_exist.code)
  for (let i = 0; i < 2; i++) {
    const { data } = await call(shop.key, 'POST', `/withdrawals/${id}/cancel`, {})
    assert.equal(data.status, withdrawalStatus.canceled)
  }
  assert.deepEqual(await names(id, shop.appid), ['withdrawal.created', 'withdrawal.canceled'])
})

const ref = { chain_id: 'eth', from_address: '0x7777777777777777777777777777777777777777', nonce: 3 }
const receipt = {
  block: { number: 7, hash: '0x1' },
  txid: `0x${'ab'.repeat(32)}`,
  blockNumber: 7,
  blockHash: '0x1',
  status: 'success' as const,
  gasUsed: 46_100n,
  gasPrice: 1n,
  fee: 46_100n,
  transfers: [],
}

test('one above a limit waits for approval, and every step is reported in order, to whom it concerns', async () => {
  const { merchant, shop, other, silent } = await merchantWithKeys()
  const { data } = await call(shop.key, 'POST', '/withdrawals', requested('W-3', { amount: '60' }))
  assert.equal(data.status, withdrawalStatus.auditing)
  await approveWithdrawal(deps, { id: data.id, by: atShell('a') })
  const engine = withdrawalOwner(deps)
  const items = [{ owner: 'withdrawal' as const, merchant_id: merchant.id, id: data.id, amount: 1n }]
  await tx(deps.pool, (_, uow) => engine.sent(uow, items, ref))
  await tx(deps.pool, (_, uow) => engine.inBlock(uow, items, receipt))
  await tx(deps.pool, (_, uow) => engine.final(uow, items, receipt))
  const reported = await events(data.id)
  assert.deepEqual(
    reported.map(each => [each.appid, each.event.replace('withdrawal.', '')]),
    ['created', 'approved', 'sent', 'confirming', 'completed'].map(event => [shop.appid, event]),
  )
  assert.ok(reported.every((each, i) => i === 0 || each.seq > reported[i - 1]!.seq))
  const bodies = reported.map(each => webhook.parse(JSON.parse(each.body)))
  const last = bodies.at(-1)!
  assert.ok(last.type === 'withdrawal.completed' && last.data.txid.startsWith('0xabab'))

  // One from the back-office has no application: all that receive its events get callbacks.
  const id = await world.withdraw('30', { merchantId: merchant.id })
  assert.deepEqual(await names(id, shop.appid), ['withdrawal.created'])
  assert.deepEqual(await names(id, other.appid), ['withdrawal.created'])
  assert.deepEqual(await names(id, silent.appid), [])
  await assertBooksAgree(owner)
})

test('a key refunds orders of its own application, once for each number', async () => {
  const { merchant, shop, other, silent } = await merchantWithKeys()
  const made = await call(shop.key, 'POST', '/orders', {
    out_trade_no: 'order-1',
    amount: '50',
    chain: 'eth',
    token: 'USDT',
  })
  const { trade_no, address } = made.data
  await world.eth.add([{ to: address.toLowerCase(), amount: 50_000_000n }])
  await world.eth.confirm()
  const refund = (key: string, more: object = {}) =>
    call(key, 'POST', '/refunds', {
      out_no: 'R-1',
      trade_no,
      kind: 'part',
      amount: '10',
      gas_payer: 'merchant',
      address: outside,
      ...more,
    })
  assert.equal((await refund(silent.key)).code, errors.payouts_not_allowed.code)
  assert.equal((await refund(other.key)).code, errors.transaction_not_exist.code)
  assert.equal((await refund(shop.key, { amount: '51' })).code, errors.amount_too_large.code)
  const many = await Promise.all(Array.from({ length: 5 }, () => refund(shop.key)))
  assert.deepEqual([...new Set(many.map(each => each.status))], [200])
  const { id, warnings } = many[0]!.data
  assert.deepEqual(warnings, ['first_payment'])
  assert.equal(new Set(many.map(each => each.data.id)).size, 1)
  assert.equal((await refund(shop.key, { amount: '11' })).code, errors.reference_conflict.code)
  assert.equal((await refund(shop.key, { out_no: 'R-2' })).code, errors.cannot_refund.code, 'one at a time')
  const found = await call(shop.key, 'GET', '/refunds/out:R-1')
  assert.deepEqual([found.data.id, found.data.out_trade_no, found.data.receives], [id, 'order-1', '10'])
  assert.equal((await call(other.key, 'GET', `/refunds/${id}`)).code, errors.withdrawal_not_exist.code)
  assert.equal((await call(other.key, 'GET', `/refunds?trade_no=${trade_no}`)).data.total, 0)
  assert.equal((await call(shop.key, 'GET', `/refunds?trade_no=${trade_no}`)).data.total, 1)
  const engine = refundOwner(deps)
  const items = [{ owner: 'refund' as const, merchant_id: merchant.id, id, amount: 1n }]
  await tx(deps.pool, (_, uow) => engine.sent(uow, items, { ...ref, nonce: 4 }))
  assert.equal((await call(shop.key, 'POST', `/refunds/${id}/cancel`, {})).code, errors.withdrawal_cannot_change.code)
  await tx(deps.pool, (_, uow) => engine.final(uow, items, receipt))
  const reported = await events(id)
  assert.deepEqual(
    reported.map(each => [each.appid, each.event]),
    ['refund.created', 'refund.sent', 'refund.completed'].map(event => [shop.appid, event]),
  )
  for (const each of reported) webhook.parse(JSON.parse(each.body))
  const next = await refund(shop.key, { out_no: 'R-3' })
  assert.equal(
    (await call(shop.key, 'POST', `/refunds/${next.data.id}/cancel`, {})).data.status,
    withdrawalStatus.canceled,
  )
  await assertBooksAgree(owner)
})

test('a key pays out a bridged token that was credited, within the limits by value', async () => {
  const { merchant, shop } = await merchantWithKeys()
  const ask = (number: string, amount: string) =>
    call(shop.key, 'POST', '/withdrawals', requested(number, { token: 'USDC.e', amount }))
  assert.equal((await ask('bridged', '20')).code, errors.currency_not_exist.code)
  await writeChains(deps.pool, [bridgedEth, bsc])
  assert.equal((await ask('bridged', '20')).code, errors.insufficient_balance.code)
  await world.grant(100_000_000n, 'eth:USDC.e', merchant.id)
  const { data } = await ask('bridged', '20')
  assert.deepEqual([data.token, data.amount, data.status], ['USDC.e', '20', withdrawalStatus.transferring])
  assert.deepEqual(await world.balances('eth:USDC.e', merchant.id), ['80000000', '20000000'])
  assert.equal((await ask('much', '31')).data.status, withdrawalStatus.auditing, 'above 50 USDT together')
})
