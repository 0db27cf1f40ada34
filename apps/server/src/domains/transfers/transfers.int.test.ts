import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskEmail } from '@coffer/contract/kit/texts.ts'
import { makeApp } from '../../serve.ts'
import { breakOnce } from '../../testing/break.ts'
import { exportCells } from '../../testing/export-cells.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testMember } from '../../testing/members.ts'
import {
  changeTestMerchant,
  newSession,
  ownerOf,
  ownerReader,
  testAuthenticator,
  testMerchant,
  visitor,
} from '../../testing/merchants.ts'
import { eth, firstRow, moneyWorld, rowsOf } from '../../testing/money.ts'
import { refusedUnlessOpen } from '../../testing/standing.ts'
import { clearSwitch, setSwitch } from '../chains/store.ts'
import { exchangeProofForTicket } from '../identity/proofs/check-proof.ts'
import { policyRefusals } from '../policies/format-policy-report.ts'
import transferExport from './export.ts'
import { findReceiver, maskName } from './find-receiver.ts'
import { type SendTransferInput, sendTransfer } from './send-transfer.ts'
import { listTransfers } from './store.ts'

const usdt = `${eth.id}:USDT`

/** A merchant with 100 USDT and a second one. `send` transfers 40 to it, with a fresh code. */
async function transferring(scope: Parameters<typeof moneyWorld>[0]) {
  const world = await moneyWorld(scope)
  const { deps, merchant, owner } = world
  await changeTestMerchant(deps.pool, merchant.id, { fee_bps: 0 })
  const order = await world.pay({ amount: '100' })
  await world.eth.add([{ to: order.address, amount: 100_000_000n }])
  await world.eth.confirm()
  const other = await testMerchant(deps, { email: 'other@example.com' })
  const { code, wrong } = await testAuthenticator(deps, merchant.id)
  const fresh = () => {
    deps.pass(30)
    return { method: 'google', code: code() } as const
  }
  const request = (more: Partial<SendTransferInput> = {}): SendTransferInput => ({
    merchantId: merchant.id,
    account: other.mchid,
    assetId: usdt,
    amount: '40',
    note: ' rent ',
    requestKey: undefined,
    from: visitor,
    ...more,
    proof: more.proof ?? fresh(),
  })
  const balances = async () => [await world.balance(usdt), await world.balance(usdt, other.id)]
  const refused = async (reason: string, more: Partial<SendTransferInput> = {}) => {
    const before = await balances()
    await assert.rejects(sendTransfer(deps, request(more)), { reason })
    assert.deepEqual(await balances(), before)
    assert.equal((await firstRow(owner, 'select count(*) from internal_transfers')).count % 2, 0)
  }
  return {
    ...world,
    fresh,
    wrong,
    other,
    request,
    balances,
    refused,
    send: (more?: Partial<SendTransferInput>) => sendTransfer(deps, request(more)),
  }
}

test('a transfer moves a balance at once, and notifies both sides', async t => {
  const { deps, owner, merchant, other, send, balances } = await transferring(t)
  const { id } = await send()
  assert.deepEqual(await balances(), ['60000000', '40000000'])
  const list = async (merchantId: string) =>
    (await listTransfers(deps.pool, merchantId, {}, { limit: 10, offset: 0 })).rows.map(row => [
      row.id,
      row.direction,
      row.mchid,
      row.amount,
      row.note,
    ])
  assert.deepEqual(await list(merchant.id), [[id, 'out', other.mchid, 40_000_000n, 'rent']])
  assert.deepEqual(await list(other.id), [[id, 'in', merchant.mchid, 40_000_000n, 'rent']])
  const of = async (filter: Parameters<typeof listTransfers>[2], merchantId = merchant.id) =>
    (await listTransfers(deps.pool, merchantId, filter, { limit: 10, offset: 0 })).total
  assert.deepEqual(
    [await of({ id }), await of({ id, direction: 'in' }), await of({ id }, other.id), await of({ id: 'none' })],
    [1, 0, 1, 0],
  )
  const notices = await rowsOf(
    owner,
    `select merchant_id, message, params from notifications where message like 'transfer_%' order by message`,
  )
  const params = { id, amount: '40', token: 'USDT', chain: 'Ethereum', name: 'T***t' }
  assert.deepEqual(notices, [
    { merchant_id: other.id, message: 'transfer_received', params },
    { merchant_id: merchant.id, message: 'transfer_sent', params },
  ])
  assert.equal((await firstRow(owner, `select subject from audit_log where type = 'transfer_sent'`)).subject, id)
  await assertBooksAgree(owner)
})

test('all transfers that match are exported, newest first', async t => {
  const { deps, merchant, other, send } = await transferring(t)
  const ids: string[] = []
  for (const amount of ['1', '2', '3']) ids.unshift((await send({ amount })).id)
  const scope = { ...ownerReader(merchant.id), filter: {}, language: 'en' as const }
  assert.equal(await transferExport.count(deps.pool, scope), 3)
  const first = await transferExport.next(deps.pool, scope, undefined, 2)
  const last = await transferExport.next(deps.pool, scope, first.at(-1), 2)
  assert.deepEqual(
    [...first, ...last].map(each => each.id),
    ids,
  )
  const direction = transferExport.columns.find(each => each.en === 'Direction')!
  assert.deepEqual(
    (['en', 'zh-CN'] as const).map(language => 'cell' in direction && direction.cell(first[0]!, { language })),
    ['Sent', '转出'],
  )
  const received = { ...scope, merchantId: other.id, filter: { direction: 'out' as const } }
  assert.deepEqual(await transferExport.next(deps.pool, received, undefined, 2), [])
  // Amounts add up to what the balance gained.
  const amountsOf = async (each: typeof scope) => (await exportCells(deps, transferExport, each)).map(row => row.Amount)
  assert.deepEqual(
    await amountsOf(scope),
    ['-3', '-2', '-1'].map(number => ({ number })),
  )
  assert.deepEqual(
    await amountsOf({ ...scope, merchantId: other.id }),
    ['3', '2', '1'].map(number => ({ number })),
  )
})

test('the whole balance can be transferred, and not a unit more', async t => {
  const { refused, send, balances } = await transferring(t)
  await refused('insufficient_balance', { amount: '100.000001' })
  await send({ amount: '100' })
  assert.deepEqual(await balances(), ['0', '100000000'])
})

test('refuses what is no amount, no asset, and who cannot receive', async t => {
  const { deps, merchant, other, refused } = await transferring(t)
  for (const amount of ['0', '0.0000001', '-1', 'all']) await refused('bad_amount', { amount })
  await refused('currency_not_exist', { assetId: 'eth:NONE' })
  await refused('transfer_to_self', { account: merchant.email })
  await refused('transfer_to_self', { account: merchant.mchid })
  await refused('merchant_not_exist', { account: 'M0000000000' })
  await changeTestMerchant(deps.pool, other.id, { frozen: true })
  await refused('merchant_not_exist')
  await changeTestMerchant(deps.pool, other.id, { frozen: false, status: 1 })
  await refused('merchant_not_exist')
  await changeTestMerchant(deps.pool, other.id, { status: 3, deleted_at: 1 })
  await refused('merchant_not_exist', { account: 'other@example.com' })
})

test('refuses a sender who is frozen or closed, cannot confirm, or while withdrawals are stopped', async t => {
  const { deps, merchant, owner, refused, request, wrong } = await transferring(t)
  await refused('google_code_error', { proof: { method: 'google', code: wrong() } })
  await refused('proof_needed', { proof: { method: 'email', code: '000000' } })
  await setSwitch(deps.pool, 'withdrawals_stopped', 'a shortage', deps.clock())
  await refused('withdrawal_forbidden')
  await clearSwitch(deps.pool, 'withdrawals_stopped')
  await refusedUnlessOpen(owner, merchant.id, () => sendTransfer(deps, request()))
})

test('the limits of withdrawals hold for transfers, also for several and at once', async t => {
  const { deps, merchant, owner, fresh, request, refused, send, balances } = await transferring(t)
  const policy = (rules: object[]) =>
    owner.query(
      `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, $2, $3, 0, 0)`,
      [merchant.id, `policy of ${rules.length}`, JSON.stringify(rules)],
    )
  await policy([{ kind: 'single', limit: '39' }])
  await refused('policy_refused')
  await assert.rejects(sendTransfer(deps, request()), { text: policyRefusals.transfer })
  await owner.query('delete from withdrawal_policies')
  await policy([{ kind: 'fresh_factor', above: '39', within: 300 }])
  await refused('passkey_needed')
  await owner.query('delete from withdrawal_policies')
  // A merchant is no address of the book, and each has a limit of its own.
  await policy([{ kind: 'destination', cool_down: 0 }])
  await refused('policy_refused')
  await owner.query('delete from withdrawal_policies')
  await policy([{ kind: 'window', per: 'destination', seconds: 86_400, limit: '39' }])
  await refused('policy_refused')
  await owner.query('delete from withdrawal_policies')
  await policy([{ kind: 'window', per: 'merchant', seconds: 86_400, limit: '70' }])
  await send()
  await refused('policy_refused')
  const requests: SendTransferInput[] = []
  for (let i = 0; i < 4; i++) {
    const { ticket } = await exchangeProofForTicket(deps, {
      by: ownerOf(merchant.id),
      proof: fresh(),
      action: 'transfer',
    })
    requests.push(request({ amount: '10', proof: { method: 'ticket', code: ticket } }))
  }
  const results = await Promise.allSettled(requests.map(each => sendTransfer(deps, each)))
  assert.equal(results.filter(each => each.status === 'fulfilled').length, 3)
  assert.deepEqual(await balances(), ['30000000', '70000000'])
  await owner.query('delete from withdrawal_policies')
  await changeTestMerchant(deps.pool, merchant.id, { factor_changed_at: deps.clock() })
  const holding = { ...deps, config: { ...deps.config, withdrawHoldHours: 24 } }
  await assert.rejects(sendTransfer(holding, request({ amount: '1' })), { reason: 'withdrawal_forbidden' })
})

test('one code confirms one transfer, and one key makes one', async t => {
  const { deps, request, balances, other, owner } = await transferring(t)
  const first = request({ requestKey: 'click' })
  const { id } = await sendTransfer(deps, first)
  assert.deepEqual(await sendTransfer(deps, first), { id }, 'sent again after a lost answer')
  await assert.rejects(sendTransfer(deps, { ...first, requestKey: 'other' }), { reason: 'google_code_error' })
  await assert.rejects(sendTransfer(deps, request({ requestKey: 'click', amount: '41' })), {
    reason: 'idempotency_conflict',
  })
  assert.deepEqual(await balances(), ['60000000', '40000000'])
  assert.equal(
    (await firstRow(owner, 'select count(*) from internal_transfers where merchant_id = $1', [other.id])).count,
    1,
  )
})

test('two members who reuse a key make a transfer each, and neither gets the answer of the other', async t => {
  const { deps, owner, merchant, request, balances } = await transferring(t)
  const { personId, signIn } = await testMember(deps, owner, { merchantId: merchant.id, role: 'finance' })
  const { session } = await signIn()
  const authenticator = await testAuthenticator(deps, personId)
  const codeOfMember = () => {
    deps.pass(30)
    return { method: 'google', code: authenticator.code() } as const
  }
  const from = { ...visitor, session }
  const first = await sendTransfer(deps, request({ requestKey: 'click', amount: '20' }))
  const wrong = { method: 'google', code: authenticator.wrong() } as const
  const byMember = (proof: typeof wrong) => request({ requestKey: 'click', amount: '20', from, proof })
  await assert.rejects(sendTransfer(deps, byMember(wrong)), { reason: 'google_code_error' })
  const second = await sendTransfer(deps, byMember(codeOfMember()))
  assert.notEqual(second.id, first.id)
  assert.deepEqual(await sendTransfer(deps, byMember(wrong)), second, 'sent again after a lost answer')
  assert.deepEqual(await sendTransfer(deps, request({ requestKey: 'click', amount: '20' })), first)
  assert.deepEqual(await balances(), ['60000000', '40000000'])
})

test('a transfer whose answer a crash lost is found by its key when the page sends it again', async t => {
  const { deps, merchant, other, fresh, balances, owner } = await transferring(t)
  const app = await makeApp(deps)
  t.after(() => app.close())
  const payload = { account: other.mchid, token_id: usdt, amount: '40', proof: fresh() }
  const headers = { 'x-token': await newSession(deps, merchant.id), 'idempotency-key': 'click' }
  const send = async () =>
    (await app.inject({ method: 'POST', url: '/api/v1/account/internal-transfer', headers, payload })).json()
  const first = await send()
  assert.equal(first.code, 200)
  await owner.query(`update idempotency set answer = null, status = 1 where scope = $1`, [
    `${merchant.id} POST /api/v1/account/internal-transfer`,
  ])
  deps.pass(61)
  assert.deepEqual(await send(), first)
  assert.deepEqual(await balances(), ['60000000', '40000000'])
})

test('of transfers at once exactly what the balance covers succeeds', async t => {
  const { deps, merchant, fresh, request, balances, owner } = await transferring(t)
  const requests: SendTransferInput[] = []
  for (let i = 0; i < 6; i++) {
    const { ticket } = await exchangeProofForTicket(deps, {
      by: ownerOf(merchant.id),
      proof: fresh(),
      action: 'transfer',
    })
    requests.push(request({ proof: { method: 'ticket', code: ticket } }))
  }
  const results = await Promise.allSettled(requests.map(each => sendTransfer(deps, each)))
  assert.equal(results.filter(each => each.status === 'fulfilled').length, 2)
  for (const each of results) if (each.status === 'rejected') assert.equal(each.reason.reason, 'insufficient_balance')
  assert.deepEqual(await balances(), ['20000000', '80000000'])
  await assertBooksAgree(owner)
})

test('killed at any statement, a transfer happened on both sides or on neither', async t => {
  const { deps, request, balances, owner } = await transferring(t)
  for (const pattern of [/internal_transfers/, /ledger_post/, /into notifications/, /audit_append/, /^commit/i]) {
    const input = request()
    await assert.rejects(sendTransfer({ ...deps, pool: breakOnce(deps.pool, pattern) }, input), /killed here/)
    assert.deepEqual(await balances(), ['100000000', '0'], String(pattern))
  }
  assert.equal((await firstRow(owner, 'select count(*) from internal_transfers')).count, 0)
  await assertBooksAgree(owner)
})

test('lookups are few, and names are masked', async t => {
  const { deps, merchant, other } = await transferring(t)
  for (let i = 0; i < 30; i++) {
    assert.equal((await findReceiver(deps, deps.pool, merchant.id, other.email)).id, other.id)
  }
  await assert.rejects(findReceiver(deps, deps.pool, merchant.id, other.email), { reason: 'frequent_operation' })
  assert.deepEqual(['Corner shop', 'Li', '店', '王小明'].map(maskName), ['C***p', 'L***', '***', '王***明'])
  assert.equal(maskEmail('jane@example.com'), 'j***@example.com')
})
