import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentStatus, withdrawalStatus } from '@coffer/contract/codes.ts'
import { formatDecisionObject } from '@coffer/contract/operator/names.ts'
import { tx } from '../../kit/db.ts'
import { firstRow } from '../../testing/money.ts'
import { night, reason, resumeWallet, signedIn } from '../../testing/office.ts'
import { emailsOf, testOperator } from '../../testing/operators.ts'
import { insertIncidents } from '../chains/store.ts'
import { haltChain } from '../deposits/halt-chain.ts'
import { changeMerchant } from '../merchants/store.ts'
import { readMerchantFile } from '../onboarding/merchant-file.ts'
import { nonceTakenReason } from '../outgoing/settle.ts'
import { takeNonce } from '../outgoing/store.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'

test('one person resumes no wallet alone, not by asking twice, nor with a new, renewed or removed second person', async t => {
  const w = await night(t)
  const one = await testOperator(w.deps, 'owner')
  assert.equal((await w.ask(one.token, resumeWallet, 'eth', { reason: 'x' })).code, 10285)
  assert.equal((await w.ask(one.token, resumeWallet, 'eth', { reason: 'xxxxxxxxxx' })).code, 10285)
  const stale = await testOperator(w.deps, 'finance', { fresh: false })
  assert.equal((await w.resume(stale.token)).code, 10160, 'a fresh code is needed')
  assert.equal((await w.resume((await testOperator(w.deps, 'support')).token)).code, 403)

  const same = await Promise.all([w.resume(one.token), w.resume(one.token)])
  assert.deepEqual(same.map(each => each.code).sort(), [10165, 200])
  assert.equal((await w.resume(one.token)).code, 10165)
  const mine = 'mine@example.com'
  await w.ask(one.token, 'POST operators', '', { email: mine, role: 'finance' })
  assert.equal((await w.resume(await w.activate(mine))).code, 10261, 'who is new')
  await w.ask(one.token, 'DELETE operators/:id', await w.idOf(mine))
  await w.ask(one.token, 'POST operators/:id/link', stale.id)
  assert.equal((await w.resume(await w.activate(stale.email))).code, 10261, 'who was renewed')
  await w.ask(one.token, 'DELETE operators/:id', stale.id)
  assert.equal((await w.resume(one.token)).code, 10165, 'whoever removes the second person is not alone')
  const demoted = await testOperator(w.deps, 'finance')
  await w.ask(one.token, 'PUT operators/:id', demoted.id, { role: 'viewer' })
  assert.equal((await w.resume(one.token)).code, 10165)
  assert.equal(await w.isHalted(), true)

  const [open] = (await w.ask(demoted.token, 'GET decisions')).data.list
  assert.deepEqual([open.object, emailsOf(open.who), open.reason], ['eth', [one.email], reason])
  const two = await testOperator(w.deps, 'finance')
  assert.deepEqual((await w.resume(two.token)).data, { waits: false })
  assert.equal(await w.isHalted(), false)
  assert.deepEqual((await w.ask(two.token, 'GET decisions')).data.list, [])
  await w.halt()
  assert.deepEqual((await w.resume(two.token)).data, { waits: true }, 'what was agreed on holds once')
})

test('two who ask at once are two, a request ends after a day, and who is alone decides alone', async t => {
  const w = await night(t)
  const one = await testOperator(w.deps, 'finance')
  assert.equal(
    (await w.ask(one.token, 'GET stakes?call=POST+/api/operator/v1/wallets/%3Aid/resume&id=eth')).data.others,
    false,
  )
  assert.deepEqual((await w.resume(one.token)).data, { waits: false }, 'nobody else could')
  const two = await testOperator(w.deps, 'owner')
  await w.halt()
  const both = await Promise.all([w.resume(one.token), w.resume(two.token)])
  assert.deepEqual(both.map(each => each.data.waits).sort(), [false, true])
  assert.equal(await w.isHalted(), false)
  const logged = async () => {
    const { list } = (await w.ask(one.token, 'GET log?text=wallets')).data
    return list.map(({ outcome, after }: { outcome: string; after: object }) => [outcome, 'waits' in after])
  }
  const waits = ['waits', false]
  const done = ['done', false]
  assert.deepEqual((await logged()).sort(), [done, done, waits], 'what one of two asked for did not happen')
  await w.halt()
  assert.deepEqual((await w.resume(one.token)).data, { waits: true })
  assert.deepEqual((await logged())[0], waits)
  w.deps.pass(86_401)
  const { session } = await signedIn(w.deps, two.email)
  assert.deepEqual((await w.resume(session)).data, { waits: true }, 'the first request has ended')
  assert.equal(await w.isHalted(), true)
})

test('a lower risk level, raised limits, a hold, a deposit and stopped withdrawals take two above the limit', async t => {
  const w = await night(t)
  const one = await testOperator(w.deps, 'owner')
  const two = await testOperator(w.deps, 'owner')
  const { mchid, id } = w.merchant
  const terms = {
    fee_bps: null,
    withdraw_fee_bps: null,
    withdraw_day_max: null,
    withdraw_approval_above: null,
  }
  await w.deps.owner.query(`update merchants set risk_level = 'fail' where id = $1`, [id])
  await w.deps.owner.query('update merchants set held_at = 1 where id = $1', [id])
  const stop = (name: string) =>
    w.deps.owner.query('insert into switches (name, reason, since) values ($1, $2, 1)', [name, 'less than owed'])
  await stop('withdrawals_stopped:eth:USDT')
  const order = await w.pay({ amount: '200' })
  await w.eth.add([{ to: order.address, amount: 200_000_000n }])
  await w.eth.confirm()
  await w.deps.owner.query('update payments set status = $1', [paymentStatus.in_doubt])
  const deposit = (await firstRow(w.deps.owner, 'update deposits set doubted = true returning id')).id
  const calls: [key: string, id: string, body: object][] = [
    ['PUT merchants/:id/risk', mchid, { risk_level: 'pass' }],
    ['PUT merchants/:id/terms', mchid, { ...terms, withdraw_single_max: 20_000 }],
    ['POST merchants/:id/lift-hold', mchid, {}],
    ['POST queues/:id/resume', 'withdrawals', {}],
    ['POST deposits/:id/undo', deposit, {}],
  ]
  for (const [key, of, body] of calls) {
    const ask = (token: string, more = {}) => w.ask(token, key, of, { ...body, ...more, reason })
    assert.deepEqual((await ask(one.token)).data, { waits: true }, key)
    assert.equal((await ask(one.token)).code, 10165, key)
    if (key.endsWith('terms'))
      assert.deepEqual((await ask(two.token, { withdraw_single_max: 30_000 })).data, { waits: true }, 'another change')
    assert.deepEqual((await ask(two.token)).data, { waits: false }, key)
  }
  const [second, first] = await readMerchantFile(w.deps.pool, id)
  assert.deepEqual(
    [second?.what, second?.who, first?.what, first?.who],
    ['risk_set', two.email, 'risk_requested', one.email],
  )
  assert.deepEqual([second?.text, second?.changes], [reason, [{ fact: 'risk_level', from: 'fail', to: 'pass' }]])
  await stop('withdrawals_stopped')
  const pause = await w.ask(one.token, 'POST queues/:id/resume', 'withdrawals', { reason })
  assert.deepEqual(pause.data, { waits: false }, 'a pause that an operator asked for, while nothing is missing')
  const lower = { ...terms, withdraw_single_max: 50 }
  assert.deepEqual((await w.ask(one.token, 'PUT merchants/:id/terms', mchid, { ...lower, reason })).data, {
    waits: false,
  })
})

/** Makes what each of the further decisions is about, worth more than the limit. */
async function troubles(w: Awaited<ReturnType<typeof night>>) {
  const { deps } = w
  const owner = withdrawalOwner(deps)
  await w.withdraw('200')
  await deps.owner.query('update withdrawals set status = $1', [withdrawalStatus.transferring])
  const [due] = await owner.due(deps.pool, 'eth', 1)
  await deps.owner.query('update wallets set halted = null')
  const { address } = await firstRow(deps.owner, `select address from wallets where role = 'hot'`)
  const of = {
    kind: 'transfer',
    chain: 'eth',
    token: due!.token,
    to: due!.to,
    amount: String(due!.amount),
    index: null,
  }
  const taken = { chainId: 'eth', address, intent: of as never, gas: 50_000n, items: [due!], now: deps.clock() }
  await tx(deps.pool, (c, uow) => takeNonce(c, taken, id => owner.sent(uow, [due!], id)))
  await deps.owner.query('update outgoing set waits = $1', [nonceTakenReason])
  const order = await w.pay({ amount: '200' })
  await w.eth.add([{ to: order.address, amount: 200_000_000n, txid: '0xlost' }])
  await w.eth.confirm()
  const { number, hash } = w.eth.reorg(3).ancestor
  await haltChain(deps, { chainId: 'eth', ancestor: { number, hash } })
  const held = { id: 'held', txid: '0xheld', state: 'seen', held_at: 1, doubted: false, credited_at: 0, fee: 0 }
  await deps.owner.query(
    'insert into deposits select (jsonb_populate_record(d, $1)).* from deposits d where doubted limit 1',
    [JSON.stringify(held)],
  )
  await deps.owner.query(`update assets set hold = 'held' where id = 'eth:USDT'`)
  const detail = { asset_id: 'eth:USDT', block: { number: 9, hash: '0x' }, unseen: [] }
  const shortage = { ...detail, ledger: '500000000', held: '0', found: '250000000' }
  const at = { chain_id: 'eth', created_at: deps.clock() }
  await insertIncidents(deps.pool, [{ ...at, id: 'short', kind: 'shortage', detail: shortage }])
  await changeMerchant(deps.pool, w.merchant.id, { frozen: true })
}

test('nobody alone abandons a payout, resumes a chain, releases a token, unfreezes or closes a shortage', async t => {
  const w = await night(t)
  const one = await testOperator(w.deps, 'owner')
  const two = await testOperator(w.deps, 'owner')
  await troubles(w)
  const { mchid } = w.merchant
  const calls: [key: string, id: string, body: object, facts: string[], name: string][] = [
    ['POST wallets/:id/abandon', 'eth', { nonce: 0 }, ['nonce 0', 'payouts 1', 'amount 199.3125 USDT'], 'Ethereum'],
    ['POST assets/:id/release', 'eth:USDT', {}, ['deposits 1', 'amount 200 USDT'], 'eth:USDT'],
    ['POST incidents/:id/close', 'short', {}, ['missing 250 USDT'], 'Money is missing · Ethereum'],
    ['POST chains/:id/resume', 'eth', {}, ['deposits 1', 'amount 200 USDT'], 'Ethereum'],
    ['POST merchants/:id/unfreeze', mchid, {}, [], `Test merchant (${mchid})`],
  ]
  for (const [key, of, body, facts, name] of calls) {
    const ask = (token: string, more = {}) => w.ask(token, key, of, { ...body, reason, ...more })
    const call = key.replace(' ', ' /api/operator/v1/')
    const query = new URLSearchParams({ call, id: of, ...(key.endsWith('abandon') && { nonce: '0' }) })
    const { data } = await w.ask(one.token, `GET stakes?${query}`)
    const shown = data.facts.map((each: Record<string, string>) => `${each.name} ${each.value} ${each.unit}`.trim())
    assert.deepEqual([shown, Number(data.value) > 100, data.others], [facts, true, true], key)
    assert.equal((await ask(one.token, { reason: 'x' })).code, 10285, key)
    assert.equal((await ask(one.token)).data.waits, true, key)
    const open = (await w.ask(two.token, 'GET decisions')).data.list
    assert.equal(formatDecisionObject(open[0], 'en'), name)
    assert.equal((await ask(one.token)).code, 10165, key)
    assert.equal((await ask(two.token)).data.waits, false, key)
    assert.notEqual((await ask(two.token)).data?.waits, true, `${key}: it has happened`)
  }
  const states = await Promise.all(
    [
      'select state from outgoing',
      'select hold from assets',
      'select halted from chains',
      'select frozen from merchants',
    ].map(sql => firstRow(w.deps.owner, sql)),
  )
  assert.deepEqual(states, [{ state: 'void' }, { hold: null }, { halted: null }, { frozen: false }])
})

test('who is alone abandons, resumes, releases, unfreezes and closes alone, and less than the limit takes one', async t => {
  const w = await night(t)
  const one = await testOperator(w.deps, 'owner')
  await troubles(w)
  const { mchid } = w.merchant
  for (const [key, id, body] of [
    ['POST wallets/:id/abandon', 'eth', { nonce: 0 }],
    ['POST assets/:id/release', 'eth:USDT', {}],
    ['POST incidents/:id/close', 'short', {}],
    ['POST chains/:id/resume', 'eth', {}],
    ['POST merchants/:id/unfreeze', mchid, {}],
  ] as const)
    assert.equal((await w.ask(one.token, key, id, { ...body, reason })).data.waits, false, key)
  await testOperator(w.deps, 'owner')
  const at = { chain_id: 'eth', created_at: w.deps.clock() }
  await insertIncidents(w.deps.pool, [{ ...at, id: 'other', kind: 'surplus', detail: {} }])
  assert.equal((await w.ask(one.token, 'POST incidents/:id/close', 'other', { reason })).data.waits, false)
})
