import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { sweeperOf } from '@coffer/chains'
import { catchUp } from '../../testing/followed.ts'
import { testMerchant, visitor } from '../../testing/merchants.ts'
import { firstRow, fixedPrices, rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS } from '../../testing/payout-world.ts'
import { sweepWorld } from '../../testing/sweep-world.ts'
import { assignFixedAddress } from '../addresses/assign-address.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { readCollectables, requestCollection } from './collect.ts'
import { insertRequest } from './store.ts'
import { sweepNow } from './sweep-now.ts'

const ether = 10n ** 18n

const sum = (rows: { amount: string }[]) => rows.reduce((all, each) => all + BigInt(each.amount), 0n)

test('sweeps many addresses in one transaction, all but one unit, and splits its fee exactly', async t => {
  const w = await sweepWorld(t)
  const addresses = await w.paid([100_000_000n, 200_000_000n, 300_000_000n])
  const before = await w.balance(w.hot)
  await Promise.all([w.sweep(), w.sweep()])
  await w.settle()
  assert.equal((await w.balance(w.hot)) - before, 600_000_000n - 3n)
  for (const address of addresses) assert.equal(await w.balance(address), 1n)
  const sweeps = await w.sweeps()
  assert.deepEqual(
    sweeps.map(each => [each.state, each.reason, each.amount]).sort(),
    [199, 299, 99].map(n => ['swept', 'worth', `${n}999999`]),
  )
  const [sent] = await rowsOf(w.deps.owner, `select fee, txid from outgoing where intent ->> 'kind' = 'sweepMany'`)
  const expenses = await w.expenses()
  assert.deepEqual([expenses.length, sum(expenses), expenses[0].txid], [3, BigInt(sent.fee), sent.txid])
  const [notice, ...more] = await rowsOf(w.deps.owner, 'select types, message from notifications where types = 5')
  assert.deepEqual([notice.message, more.length], ['fund_aggregation', 0])
  // Swept addresses are leased first, and their next sweep needs no delegation.
  await w.deps.owner.query('update deposit_addresses set free_at = 0')
  await w.deps.owner.query('update payments set status = 2, expire_at = 0')
  const again = await w.paid([150_000_000n])
  assert.ok(addresses.includes(again[0]!))
  await w.sweep()
  await w.settle()
  const intents = await rowsOf(
    w.deps.owner,
    `select intent from outgoing where intent ->> 'kind' = 'sweepMany' order by nonce`,
  )
  assert.deepEqual(
    intents.map(each => each.intent.owners.map((owner: { authorize: number | null }) => owner.authorize)),
    [[0, 0, 0], [null]],
  )
  assert.deepEqual([await w.balance(again[0]!), (await w.sweeps()).length], [1n, 4])
})

test('an address counts as swept only by its own transfer', async t => {
  const w = await sweepWorld(t)
  const [good, stale] = await w.paid([200_000_000n, 100_000_000n])
  await w.sweep()
  await w.pass()
  await w.mine(CONFIRMATIONS)
  await w.pass()
  await w.sweep()
  await w.pass()
  // Its authorization is for nonce 0 and is skipped silently.
  await w.call('anvil_setNonce', stale!, '0x5')
  await w.mine(CONFIRMATIONS)
  await w.pass()
  const states = Object.fromEntries((await w.sweeps()).map(each => [each.address, each.state]))
  assert.deepEqual([states[good!], states[stale!]], ['swept', 'failed'])
  assert.deepEqual([await w.balance(good!), await w.balance(stale!)], [1n, 100_000_000n])
  await w.sweep()
  assert.equal((await w.sweeps()).length, 2, 'not before a day has passed')
  w.deps.pass(86_401)
  await w.sweep()
  await w.settle()
  assert.equal(await w.balance(stale!), 1n)
})

for (const [what, method, told] of [
  ['another nonce', 'eth_getTransactionCount', '0x7'],
  ['a delegation that is not there', 'eth_getCode', 'delegated'],
] as const)
  test(`one node of three reports ${what} of addresses: they are swept, and no gas is lost`, async t => {
    const w = await sweepWorld(t, { nodes: 3 })
    const addresses = await w.paid([200_000_000n, 100_000_000n])
    const delegated = `0xef0100${sweeperOf(w.hot).address.slice(2)}`
    w.proxies[0]!.intercept = ({ method: asked, params: [address] }) =>
      asked === method && addresses.includes(address as string)
        ? { result: told === 'delegated' ? delegated : told }
        : undefined
    await w.sweep()
    await w.settle()
    assert.deepEqual(
      (await w.sweeps()).map(each => each.state),
      ['swept', 'swept'],
    )
    for (const address of addresses) assert.equal(await w.balance(address), 1n)
  })

test('an address that was delegated between two sweeps of its own goes on with the nonce of the chain', async t => {
  const w = await sweepWorld(t)
  const { to } = await w.order('USDT')
  await catchUp(w.deps, w.chain)
  for (const [token, amount] of [
    [null, ether],
    [w.token, 200_000_000n],
    [null, ether],
  ] as const) {
    await w.pay([[{ token, to, amount }]])
    await w.mine(CONFIRMATIONS)
    w.deps.pass(3_600)
    await w.sweep()
    await w.settle()
  }
  assert.deepEqual(
    (await w.sweeps()).map(each => [each.asset_id, each.state]),
    [
      ['eth:ETH', 'swept'],
      ['eth:USDT', 'swept'],
      ['eth:ETH', 'swept'],
    ],
  )
  assert.equal(await w.balance(to), 1n)
  assert.deepEqual(await rowsOf(w.deps.owner, 'select * from wallets where halted is not null'), [])
})

test('fixed addresses are swept with gas of their own, native coin by itself, and the books agree', async t => {
  const w = await sweepWorld(t)
  const fixed = (await assignFixedAddress(w.deps, w.merchant.id, w.definition.id)).address.toLowerCase()
  const native = await w.order('ETH')
  await catchUp(w.deps, w.chain)
  await w.pay([[{ token: w.token, to: fixed, amount: 500_000_000n }]])
  await w.pay([[{ token: null, to: native.to, amount: ether }]])
  await w.mine(CONFIRMATIONS)
  await w.sweep()
  assert.deepEqual(await w.sweeps(), [], 'others may come')
  w.deps.pass(3_600)
  const before = [await w.balance(w.hot), await w.chain.balanceOf(null, w.hot)] as const
  await w.sweep()
  await w.settle()
  assert.equal((await w.balance(w.hot)) - before[0], 500_000_000n - 1n)
  assert.equal(await w.balance(fixed), 1n)
  assert.equal(await w.call('eth_getCode', fixed, 'latest'), '0x')
  assert.ok((await w.chain.balanceOf(null, w.hot)) > before[1], 'the native coin has arrived')
  assert.deepEqual(
    (await w.sweeps()).map(each => each.state),
    ['swept', 'swept'],
  )
  const outgoing = await rowsOf(w.deps.owner, 'select fee from outgoing')
  assert.equal(
    sum(await w.expenses()),
    outgoing.reduce((all, each) => all + BigInt(each.fee), 0n),
  )
  // What was sent for gas is no deposit.
  assert.equal((await rowsOf(w.deps.owner, `select 1 from deposits where asset_id = 'eth:ETH'`)).length, 1)
  const verdicts = (await reconcileChain(w.deps, w.chain)).map(each => [each.asset_id, each.verdict])
  assert.deepEqual(
    verdicts.filter(([, verdict]) => verdict === 'shortage'),
    [],
  )
})

test('gas for sweeps beyond the signer’s limit of a day takes no nonce of the hot wallet', async t => {
  const w = await sweepWorld(t)
  const fixed = (await assignFixedAddress(w.deps, w.merchant.id, w.definition.id)).address.toLowerCase()
  await catchUp(w.deps, w.chain)
  await w.pay([[{ token: w.token, to: fixed, amount: 500_000_000n }]])
  await w.mine(CONFIRMATIONS)
  w.deps.pass(3_600)
  const { gas } = w.signer.policy.chains.eth!
  w.signer.policy.chains.eth!.gas = { ...gas, daily: 1n }
  const payout = await w.ask()
  await w.sweep()
  await w.settle()
  assert.deepEqual([(await w.sweeps()).length, await w.log(payout.id)], [0, ['sent', 'in block', 'final']])
  const [incident, ...more] = await rowsOf(w.deps.owner, 'select kind, detail from incidents')
  assert.deepEqual([incident.kind, incident.detail.token, more.length], ['payout_waits', 'gas', 0])
  w.signer.policy.chains.eth!.gas = gas
  await w.settle()
  assert.equal(await w.balance(fixed), 1n)
})

test('small balances wait for a week, for a person or for a withdrawal that needs them', async t => {
  const w = await sweepWorld(t)
  await w.paid([3_000_000n])
  const count = async () => {
    await w.sweep()
    await w.pass()
    await w.mine(CONFIRMATIONS)
    await w.pass()
    await w.sweep()
    return (await w.sweeps()).map(each => each.reason)
  }
  const dear = fixedPrices({ USDT: '1', ETH: '100000' }, w.deps.clock)
  Object.assign(w.deps, { prices: dear })
  assert.deepEqual(await count(), [])
  await insertRequest(w.deps.pool, 'r1', 'eth', null, w.deps.clock())
  assert.deepEqual(await count(), ['asked'])
  assert.equal((await firstRow(w.deps.owner, 'select count(*)::int as n from sweep_requests')).n, 0)
})

test('a merchant collects what is worth its gas, with the gas shown before', async t => {
  const w = await sweepWorld(t)
  await w.paid([3_000_000n, 2_000_000n])
  Object.assign(w.deps, { prices: fixedPrices({ USDT: '1', ETH: '20000' }, w.deps.clock) })
  const set = `insert into withdrawal_settings (merchant_id, asset_id, automatic, updated_at) values ($1, 'eth:USDT', false, 0)`
  await w.deps.owner.query(set, [w.merchant.id])
  const shown = async (merchantId = w.merchant.id) =>
    (await readCollectables(w.deps, merchantId)).find(each => each.network_id === 'eth')!
  const before = await shown()
  assert.deepEqual(
    before.tokens.map(each => [each.token, each.amount, each.addresses]),
    [['USDT', '5', 2]],
  )
  assert.ok(Number(before.gas) > 0 && Number(before.gas_usdt) > 0 && before.open && !before.requested)
  const ask = (merchantId = w.merchant.id) => requestCollection(w.deps, { merchantId, chainId: 'eth', from: visitor })
  const stranger = await testMerchant(w.deps)
  assert.deepEqual((await shown(stranger.id)).tokens, [])
  await assert.rejects(ask(stranger.id), { reason: 'nothing_to_collect' })
  Object.assign(w.deps, { prices: fixedPrices({ USDT: '1', ETH: '10000000' }, w.deps.clock) })
  assert.deepEqual([(await shown()).small, (await shown()).tokens], [2, []])
  await assert.rejects(ask(), { reason: 'nothing_to_collect' })
  Object.assign(w.deps, { prices: fixedPrices({ USDT: '1', ETH: '20000' }, w.deps.clock) })
  await w.deps.owner.query(`update chains set halted = 'block 5 left the chain'`)
  await assert.rejects(ask(), { reason: 'chain_halted', retryAfter: 900 })
  await w.deps.owner.query('update chains set halted = null')
  await Promise.all([ask(), ask()])
  await ask()
  assert.equal((await shown()).requested, true)
  await w.sweep()
  await w.settle()
  assert.deepEqual(
    (await w.sweeps()).map(each => [each.reason, each.state]),
    [
      ['asked', 'swept'],
      ['asked', 'swept'],
    ],
  )
  assert.deepEqual([(await shown()).requested, (await shown()).tokens], [false, []])
  await w.deps.owner.query('update merchants set frozen = true')
  await assert.rejects(ask(), { reason: 'account_frozen' })
})

test('what is requested during a pass is swept in the next', async t => {
  const w = await sweepWorld(t)
  await w.paid([3_000_000n])
  const prices = fixedPrices({ USDT: '1', ETH: '20000' }, w.deps.clock)
  const ask = mock.fn(() => sweepNow(w.deps, { chainId: 'eth' }))
  const quote: typeof prices.quote = async symbol => {
    if (ask.mock.callCount() === 0) await ask()
    return prices.quote(symbol)
  }
  Object.assign(w.deps, { prices: { ...prices, quote } })
  await w.sweep()
  assert.deepEqual([ask.mock.callCount(), await w.sweeps()], [1, []], 'too little, and requested too late')
  await w.sweep()
  await w.settle()
  assert.deepEqual(
    (await w.sweeps()).map(each => [each.reason, each.state]),
    [['asked', 'swept']],
  )
  assert.deepEqual(await rowsOf(w.deps.owner, 'select 1 from sweep_requests'), [])
})

test('withdrawals that wait for liquidity have it swept', async t => {
  const w = await sweepWorld(t)
  await w.paid([60_000_000n])
  Object.assign(w.deps, { prices: fixedPrices({ USDT: '1', ETH: '20000' }, w.deps.clock) })
  const payout = await w.ask({ amount: 1_050_000_000n })
  await w.pass()
  await w.settle()
  assert.deepEqual(await w.log(payout.id), ['sent', 'in block', 'final'])
  assert.deepEqual(
    (await w.sweeps()).map(each => each.reason),
    ['needed'],
  )
  assert.equal(await w.balance(payout.to), 1_050_000_000n)
})

test('a merchant sets the minimum, or switches sweeps off', async t => {
  const w = await sweepWorld(t)
  Object.assign(w.deps, { prices: fixedPrices({ USDT: '1', ETH: '20000' }, w.deps.clock) })
  await w.paid([5_000_000n, 9_000_000n])
  const set = (minimum: string, automatic: boolean) =>
    w.deps.owner.query(
      `insert into withdrawal_settings (merchant_id, asset_id, minimum, automatic, updated_at) values ($1, 'eth:USDT', $2, $3, 0)
       on conflict (merchant_id, asset_id) do update set minimum = excluded.minimum, automatic = excluded.automatic`,
      [w.merchant.id, minimum, automatic],
    )
  const swept = async () => {
    await w.sweep()
    await w.settle()
    return (await w.sweeps()).map(each => each.amount)
  }
  await set('1', false)
  assert.deepEqual(await swept(), [])
  await set('9000000', true)
  assert.deepEqual(await swept(), ['8999999'])
  await set('5000000', true)
  assert.deepEqual((await swept()).sort(), ['4999999', '8999999'])
})
