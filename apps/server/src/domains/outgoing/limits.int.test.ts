import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { type PayoutWorld, payoutWorld, settle, tronPayoutWorld } from '../../testing/payout-world.ts'
import { watchStuckTransactions } from './watch-stuck-transactions.ts'

const done = ['sent', 'in block', 'final']
const waiting = 'waits: signer: daily_limit'
const usdt = 1_000_000n

type World = Pick<PayoutWorld, 'pass' | 'mine' | 'confirm' | 'deps'>
const incidents = ({ deps }: World) => rowsOf(deps.owner, 'select kind, detail from incidents order by created_at, id')
const openIncidents = ({ deps }: World) =>
  rowsOf(deps.owner, 'select kind from incidents where resolved_at is null order by created_at, id')

for (const [kind, make] of [
  ['EVM', payoutWorld],
  ['TRON', tronPayoutWorld],
] as const)
  test(`payouts of one pass stay together within the limit of a day, and the rest waits without a nonce (${kind})`, async t => {
    const w = await make(t)
    w.signer.policy.chains[w.definition.id]!.assets[w.token] = { single: 9n * usdt, daily: 12n * usdt }
    const first = await w.ask({ amount: 6n * usdt })
    const large = await w.ask({ amount: 9n * usdt })
    const small = await w.ask({ amount: 6n * usdt })
    const last = await w.ask({ amount: usdt })
    await settle(w)
    await settle(w)
    assert.deepEqual([await w.log(first.id), await w.log(small.id)], [done, done])
    assert.deepEqual([await w.log(large.id), await w.log(last.id)], [[waiting], [waiting]])
    const sent = await w.outgoing()
    assert.deepEqual(
      sent.map(each => [each.state, each.waits]),
      [
        ['final', null],
        ['final', null],
      ],
    )
    const detail = { wallet: w.hot, token: w.token, reason: 'signer: daily_limit' }
    assert.deepEqual(await incidents(w), [{ kind: 'payout_waits', detail }], 'reported once')
    assert.equal((await firstRow(w.deps.owner, 'select halted from wallets')).halted, null)
    w.deps.pass(120)
    await w.pass()
    assert.equal((await openIncidents(w)).length, 1, 'it lasts')
    w.deps.pass(86_400)
    await settle(w)
    w.deps.pass(120)
    await w.pass()
    assert.deepEqual(await openIncidents(w), [], 'it ends with its cause')
    assert.equal((await firstRow(w.deps.owner, 'select what from incident_entries')).what, 'ended')
    assert.deepEqual(
      [await w.log(large.id), await w.log(last.id)],
      [
        [waiting, ...done],
        [waiting, ...done],
      ],
    )
    assert.equal(await w.balance(large.to), 9n * usdt)
  })

test('a wallet that goes on lacking funds for its payouts is an incident, once', async t => {
  const w = await payoutWorld(t)
  await w.ask({ amount: 2_000n * usdt })
  for (const seconds of [0, 60, 800]) {
    w.deps.pass(seconds)
    await w.pass()
  }
  assert.deepEqual(await incidents(w), [], 'sweeps may bring it')
  for (const seconds of [60, 1, 900]) {
    w.deps.pass(seconds)
    await w.pass()
  }
  assert.deepEqual(await incidents(w), [{ kind: 'wallet_short', detail: { wallet: w.hot, lacks: '1000 USDT' } }])
  await w.pay([[{ token: w.token, to: w.hot, amount: 1_000n * usdt }]])
  await w.mine()
  await w.confirm()
  await w.pass()
  assert.deepEqual(await openIncidents(w), [], 'it ends with its cause')
})

test('a transaction that stays in no block is an incident until one takes it', async t => {
  const w = await payoutWorld(t)
  const { id } = await w.ask()
  await w.pass()
  w.deps.pass(899)
  await watchStuckTransactions(w.deps)
  assert.deepEqual(await openIncidents(w), [], 'it may yet be mined')
  w.deps.pass(1)
  for (let look = 0; look < 3; look++) {
    await watchStuckTransactions(w.deps)
    w.deps.pass(120)
  }
  assert.deepEqual(await incidents(w), [{ kind: 'payout_stuck', detail: { wallet: w.hot, nonce: 0 } }], 'reported once')
  await settle(w)
  await watchStuckTransactions(w.deps)
  assert.deepEqual([await openIncidents(w), await w.log(id)], [[], done])
})

test('two servers at once take no nonce beyond a limit', async t => {
  const w = await payoutWorld(t)
  w.signer.policy.chains.eth!.assets[w.token] = { single: 5n * usdt, daily: 15n * usdt }
  const requested = await Promise.all(Array.from({ length: 4 }, () => w.ask()))
  // Both ask the signer before either takes a nonce.
  const { dryRun } = w.signer
  let answered = 0
  let ended = 0
  w.signer.dryRun = async (request, before) => {
    const found = await dryRun(request, before)
    answered++
    await until('the signer has answered both processes', () => answered > 1 || ended > 0)
    return found
  }
  const pass = async (as = w.deps) => {
    await w.pass(as)
    ended++
  }
  for (let round = 0; round < 4; round++) {
    answered = 0
    ended = 0
    await Promise.all([pass(), pass({ ...w.deps })])
    await w.mine()
  }
  assert.deepEqual(
    (await w.outgoing()).map(each => [each.nonce, each.waits]),
    [0, 1, 2].map(nonce => [nonce, null]),
  )
  await settle(w)
  const logs = await Promise.all(requested.map(each => w.log(each.id)))
  assert.deepEqual(logs.map(String).sort(), [String(done), String(done), String(done), waiting])
})

test('a nonce that another server took after the signer was asked is not followed by one beyond a limit', async t => {
  const w = await payoutWorld(t)
  w.signer.policy.chains.eth!.assets[w.token] = { single: 5n * usdt, daily: 5n * usdt }
  const late = await w.ask()
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const dryRun: typeof w.signer.dryRun = async (request, before) => {
    const found = await w.signer.dryRun(request, before)
    asked.resolve()
    await go.promise
    return found
  }
  const slow = w.pass({ ...w.deps, signer: { ...w.signer, dryRun } })
  await asked.promise
  const first = await w.ask({ since: 1 })
  await w.pass()
  go.resolve()
  await slow
  assert.equal((await w.outgoing()).length, 1)
  await settle(w)
  assert.deepEqual([await w.log(first.id), await w.log(late.id)], [done, [waiting]])
})

test('what has a nonce and no signature counts, and a payout whose fee is over a limit gets no nonce', async t => {
  const w = await payoutWorld(t)
  const { fee, assets } = w.signer.policy.chains.eth!
  assets[w.token] = { single: 5n * usdt, daily: 7n * usdt }
  const first = await w.ask()
  w.signer.isDown = 'to sign'
  await w.pass()
  const second = await w.ask({ amount: 3n * usdt })
  await w.pass()
  assert.deepEqual([(await w.outgoing()).length, await w.log(second.id)], [1, [waiting]])
  w.signer.isDown = false
  assets[w.token] = { single: 5n * usdt, daily: 100n * usdt }
  w.signer.policy.chains.eth!.fee = { single: 1n, daily: fee.daily }
  w.deps.pass(60)
  const third = await w.ask()
  await w.pass()
  assert.deepEqual([(await w.outgoing()).length, await w.log(third.id)], [1, ['waits: signer: fee_too_high']])
  w.signer.policy.chains.eth!.fee = fee
  w.deps.pass(60)
  await settle(w)
  for (const [{ id }, before] of [
    [first, []],
    [second, [waiting, 'waits: signer: fee_too_high']],
  ] as const)
    assert.deepEqual(await w.log(id), [...before, ...done])
  assert.deepEqual((await incidents(w)).map(each => each.kind).sort(), [
    'payout_refused',
    'payout_waits',
    'payout_waits',
  ])
})
