import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { tokenBalance } from '@coffer/chains/testing/evm-harness.ts'
import { emulatedStateOf } from '@coffer/chains/tron/facade-broadcast.ts'
import { catchUp } from '../../testing/followed.ts'
import { visitor } from '../../testing/merchants.ts'
import { rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS } from '../../testing/payout-world.ts'
import { tronSweepWorld } from '../../testing/sweep-world.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { listPayoutTransactions } from '../outgoing/carried.ts'
import { readCollectables, requestCollection } from './collect.ts'
import { sweepChain } from './sweep-chain.ts'

const trx = 1_000_000n

/** Asserts that all but one unit has arrived, and that the books agree with the chain. */
async function assertSwept(w: Awaited<ReturnType<typeof tronSweepWorld>>, address: string, before: bigint) {
  assert.deepEqual([await w.balance(address), (await w.balance(w.hot)) - before], [1n, 200n * trx - 1n])
  const swept = (await w.sweeps()).find(each => each.asset_id === 'tron:USDT')
  assert.deepEqual([swept.state, swept.amount, swept.lent], ['swept', String(200n * trx - 1n), '0'])
  const expenses = await rowsOf(w.deps.owner, 'select coalesce(sum(amount), 0) as sum from gas_expenses')
  const fees = await rowsOf(w.deps.owner, `select sum(fee) as sum from outgoing where state = 'final'`)
  assert.equal(expenses[0].sum, fees[0].sum, 'each fee is an expense of the merchant')
  for (const each of await reconcileChain(w.deps, w.chain)) assert.equal(each.verdict, 'agrees', each.asset_id)
}

/** Sweeps in another process, which has read a balance and goes on only when told to. */
async function stoppedSweep(w: Awaited<ReturnType<typeof tronSweepWorld>>) {
  const reads = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const certainBalances: typeof w.chain.certainBalances = async (...of) => {
    const balances = await w.chain.certainBalances(...of)
    reads.resolve()
    await go.promise
    return balances
  }
  const slow = sweepChain(w.deps, Object.assign(Object.create(w.chain), { certainBalances }), w.owners)
  await reads.promise
  return { slow, go: () => go.resolve() }
}

test('burns TRX that the hot wallet sends, and sweeps TRX by itself', async t => {
  const w = await tronSweepWorld(t, 'burn')
  const address = await w.paid('USDT', 200n * trx)
  const native = await w.paid('TRX', 1_000n * trx)
  const before = await w.balance(w.hot)
  await w.sweep()
  assert.deepEqual(await w.sweeps(), [], 'others may come')
  const [shown] = await readCollectables(w.deps, w.merchant.id)
  assert.deepEqual(
    [shown!.open, shown!.tokens.map(each => [each.token, each.amount]), shown!.gas_token, Number(shown!.gas) > 20],
    [
      true,
      [
        ['TRX', '1000'],
        ['USDT', '200'],
      ],
      'TRX',
      true,
    ],
  )
  await requestCollection(w.deps, { merchantId: w.merchant.id, chainId: 'tron', from: visitor })
  await w.settle()
  assert.deepEqual(await w.kinds(), ['gas', 'sweep', 'sweep'])
  assert.equal(await w.chain.balanceOf(null, native), 700_000n - 252_000n, 'what bandwidth left over')
  await assertSwept(w, address, before)
})

test('coin of an address pays for one transaction at a time', async t => {
  const w = await tronSweepWorld(t, 'burn')
  const address = await w.paid('USDT', 200n * trx)
  await catchUp(w.deps, w.chain)
  await w.pay([[{ token: null, to: address, amount: 300n * trx }]])
  await w.mine(CONFIRMATIONS)
  await catchUp(w.deps, w.chain)
  const before = await w.balance(w.hot)
  await requestCollection(w.deps, { merchantId: w.merchant.id, chainId: 'tron', from: visitor })
  await w.settle()
  assert.deepEqual((await w.sweeps()).map(each => [each.asset_id, each.state]).sort(), [
    ['tron:TRX', 'swept'],
    ['tron:USDT', 'swept'],
  ])
  await assertSwept(w, address, before)
})

for (const [lie, told] of [
  ['hides', () => 0n],
  ['invents', (balance: bigint) => balance + 5_000n * trx],
] as const)
  test(`a node that ${lie} coin and tokens changes no sweep`, async t => {
    const w = await tronSweepWorld(t, 'burn', 3)
    const address = await w.paid('USDT', 200n * trx)
    const native = await w.paid('TRX', 1_000n * trx)
    const before = await w.balance(w.hot)
    await requestCollection(w.deps, { merchantId: w.merchant.id, chainId: 'tron', from: visitor })
    const hex = (n: bigint) => n.toString(16).padStart(64, '0')
    w.proxies[0]!.alter = (what, answer) => {
      if (what === 'eth_getBalance' || what === 'eth_call') return `0x${hex(told(BigInt(String(answer))))}`
      const { balance = 0, constant_result: [result] = [] } = answer as { balance?: number; constant_result?: string[] }
      if (what.endsWith('/getaccount')) return { ...(answer as object), balance: Number(told(BigInt(balance))) }
      if (what !== '/wallet/triggerconstantcontract' || !result) return answer
      return { ...(answer as object), constant_result: [hex(told(BigInt(`0x${result}`)))] }
    }
    await w.settle()
    assert.deepEqual(await w.kinds(), ['gas', 'sweep', 'sweep'])
    w.proxies[0]!.reset()
    assert.equal(await w.chain.balanceOf(null, native), 700_000n - 252_000n)
    await assertSwept(w, address, before)
  })

test('two tokens of an address are swept one after the other, each by its own gas', async t => {
  const w = await tronSweepWorld(t, 'burn')
  const address = await w.paid('USDT', 200n * trx)
  await w.pay([[{ token: w.foreign, to: address, amount: 200n * trx }]])
  await w.mine(CONFIRMATIONS)
  await requestCollection(w.deps, { merchantId: w.merchant.id, chainId: 'tron', from: visitor })
  await w.sweep()
  await w.pass()
  // The gas for one has arrived, but is not final.
  await w.mine(1)
  await w.sweep()
  assert.deepEqual(await w.kinds(), ['gas'])
  await w.mine(CONFIRMATIONS)
  await w.pass()
  await w.settle()
  assert.deepEqual(await w.kinds(), ['gas', 'gas', 'sweep', 'sweep'])
  assert.deepEqual(
    (await w.sweeps()).map(each => [each.state, each.amount]),
    ['USDT', 'USDC'].map(() => ['swept', String(200n * trx - 1n)]),
  )
  assert.deepEqual([await w.balance(address), await tokenBalance(w, w.foreign, address)], [1n, 1n])
  for (const each of await reconcileChain(w.deps, w.chain)) assert.equal(each.verdict, 'agrees', each.asset_id)
})

test('an address sends one transaction at a time, also by two processes', async t => {
  const w = await tronSweepWorld(t, 'burn')
  const address = await w.paid('TRX', 300n * trx)
  await requestCollection(w.deps, { merchantId: w.merchant.id, chainId: 'tron', from: visitor })
  const { slow, go } = await stoppedSweep(w)
  await w.pay([[{ token: w.token, to: address, amount: 200n * trx }]])
  await w.mine(CONFIRMATIONS)
  await w.deps.owner.query(`update assets set enabled = false where symbol = 'TRX'`)
  await w.sweep()
  go()
  await slow
  const open = await rowsOf(w.deps.owner, `select intent ->> 'token' as token from outgoing`)
  assert.deepEqual(open, [{ token: w.token }])
})

test('what somebody else moves to the treasury is booked as swept, and costs nothing', async t => {
  const w = await tronSweepWorld(t, 'burn')
  const address = await w.paid('USDT', 200n * trx)
  await w.call('anvil_impersonateAccount', address)
  await w.call('anvil_setBalance', address, '0xde0b6b3a7640000')
  const data = `0xa9059cbb${w.hot.slice(2).padStart(64, '0')}${(200n * trx - 1n).toString(16).padStart(64, '0')}`
  await w.call('eth_sendTransaction', { from: address, to: w.token, data, gas: '0x30d40' })
  await w.mine(CONFIRMATIONS)
  await w.settle(2)
  const sweeps = (await w.sweeps()).map(each => [each.reason, each.state, each.amount])
  assert.deepEqual(sweeps, [['foreign', 'swept', String(200n * trx - 1n)]])
  assert.deepEqual(await w.kinds(), [])
  assert.deepEqual(await rowsOf(w.deps.owner, 'select 1 from deposits where sweep_id is null'), [])
})

test('lends the energy of staked TRX and takes it back', async t => {
  const w = await tronSweepWorld(t, 'staked')
  const { lendable, energy } = emulatedStateOf(w.url)
  lendable.set(w.hot, 100_000n * trx)
  const address = await w.paid('USDT', 200n * trx)
  w.deps.pass(3_600)
  const before = [await w.balance(w.hot), await w.chain.balanceOf(null, w.hot)] as const
  await w.settle()
  assert.deepEqual(await w.kinds(), ['delegate', 'gas', 'sweep', 'undelegate'])
  const [lent, back] = await rowsOf(
    w.deps.owner,
    `select intent ->> 'amount' as amount from outgoing where intent ->> 'kind' like '%delegate' order by nonce`,
  )
  assert.equal(lent.amount, back.amount)
  assert.deepEqual([lendable.get(w.hot), energy.get(address)], [100_000n * trx, 0n])
  assert.ok(before[1] - (await w.chain.balanceOf(null, w.hot)) < 2n * trx, 'nothing but bandwidth was burned')
  await assertSwept(w, address, before[0])
})

test('takes no step by what it read before another process took one', async t => {
  const w = await tronSweepWorld(t, 'staked')
  emulatedStateOf(w.url).lendable.set(w.hot, 100_000n * trx)
  await w.paid('USDT', 200n * trx)
  w.deps.pass(3_600)
  const { slow, go } = await stoppedSweep(w)
  await w.sweep()
  go()
  await slow
  assert.deepEqual(await w.kinds(), ['gas'])
})

test('burns where nothing is staked', async t => {
  const w = await tronSweepWorld(t, 'staked')
  const address = await w.paid('USDT', 200n * trx)
  w.deps.pass(3_600)
  const before = await w.balance(w.hot)
  await w.settle()
  assert.deepEqual(await w.kinds(), ['gas', 'gas', 'sweep'])
  await assertSwept(w, address, before)
})

test('rents energy, asking with one id, and burns after ten minutes without it', async t => {
  const orders: { id: string; address: string; energy: number; seconds: number }[] = []
  let token = ''
  let delivers = false
  const provider = createServer(async (request, response) => {
    token = request.headers.authorization ?? ''
    const order = JSON.parse(Buffer.concat(await request.toArray()).toString())
    orders.push(order)
    if (delivers)
      emulatedStateOf(w.url).energy.set(chainAdapters.tron.address.parse(order.address)!, BigInt(order.energy))
    response.writeHead(delivers ? 202 : 503).end()
  })
  await new Promise<void>(resolve => provider.listen(0, '127.0.0.1', resolve))
  t.after(() => provider.close())
  const w = await tronSweepWorld(t, `http://prepaid%2Fkey@127.0.0.1:${(provider.address() as AddressInfo).port}/orders`)
  const address = await w.paid('USDT', 200n * trx)
  w.deps.pass(3_600)
  let before = await w.balance(w.hot)
  await w.settle(2)
  assert.deepEqual([await w.kinds(), (await w.sweeps())[0].state], [['gas'], 'funded'], 'waits for the provider')
  delivers = true
  await w.settle()
  const [{ id }] = await w.sweeps()
  assert.deepEqual([...new Set(orders.map(each => `${each.id} ${each.seconds}`))], [`${id} 600`])
  assert.deepEqual([token, orders[0]!.address], ['Bearer prepaid/key', chainAdapters.tron.address.show(address)])
  assert.deepEqual(await w.kinds(), ['gas', 'sweep'])
  await assertSwept(w, address, before)
  delivers = false
  const late = await w.paid('USDT', 200n * trx)
  w.deps.pass(3_600)
  before = await w.balance(w.hot)
  await w.settle(2)
  w.deps.pass(600)
  await w.settle()
  assert.deepEqual([await w.balance(late), (await w.balance(w.hot)) - before], [1n, 200n * trx - 1n])
})

test('what fails is tried again in a day, and lent energy comes back nevertheless', async t => {
  const w = await tronSweepWorld(t, 'staked')
  const { lendable } = emulatedStateOf(w.url)
  lendable.set(w.hot, 100_000n * trx)
  await w.paid('USDT', 200n * trx)
  w.deps.pass(3_600)
  await w.settle(2)
  const { assets } = w.signer.policy.chains.tron!
  const limit = assets[w.token]!
  delete assets[w.token]
  await w.settle(3)
  assets[w.token] = limit
  const [failed] = await w.sweeps()
  assert.deepEqual([failed.state, failed.lent, lendable.get(w.hot)], ['failed', '0', 100_000n * trx])
  await w.settle(1)
  assert.equal((await w.sweeps()).length, 1)
  w.deps.pass(86_401)
  await w.settle()
  assert.deepEqual(
    (await w.sweeps()).map(each => each.state),
    ['failed', 'swept'],
  )
})

test('the fee of a sweep that ran out of energy is booked, and its transaction listed, until it is swept', async t => {
  const w = await tronSweepWorld(t, 'burn')
  const address = await w.paid('USDT', 200n * trx)
  w.deps.pass(3_600)
  const { feeLimitFor } = w.chain.expiring
  w.chain.expiring.feeLimitFor = async (payout, isDear) =>
    ((await feeLimitFor.call(w.chain.expiring, payout, isDear)) * (payout.from === address ? 6n : 10n)) / 10n
  await w.settle()
  w.chain.expiring.feeLimitFor = feeLimitFor
  const [failed] = await w.sweeps()
  assert.equal(failed.state, 'failed')
  const listed = await listPayoutTransactions(w.deps.pool, 'sweep', w.merchant.id, failed.id)
  assert.deepEqual(
    listed.map(each => [each.outcome, each.fee > 0n]),
    [['reverted', true]],
  )
  for (const each of await reconcileChain(w.deps, w.chain)) assert.equal(each.verdict, 'agrees', each.asset_id)
  w.deps.pass(86_401)
  await w.settle()
  assert.equal((await w.sweeps()).at(-1)!.state, 'swept')
  const sum = async (sql: string) => BigInt((await rowsOf(w.deps.owner, sql))[0].sum)
  const paid = await sum(`select sum(fee) as sum from outgoing where state = 'final'`)
  assert.equal(await sum(`select sum(amount) as sum from ledger_postings where kind = 'gas'`), paid)
  // The house bears what swept nothing.
  assert.ok((await sum('select sum(amount) as sum from gas_expenses')) <= paid - listed[0]!.fee)
})

test('pays a payout straight from the address when that leaves nothing worth a sweep', async t => {
  const w = await tronSweepWorld(t, 'burn')
  const address = await w.paid('USDT', 200n * trx)
  w.deps.pass(3_600)
  const before = await w.balance(w.hot)
  const small = await w.ask({ amount: 100n * trx })
  const fits = await w.ask({ amount: 199n * trx })
  await w.settle()
  // What the emulated node did not take is sent again.
  await w.later(16)
  await w.settle(2)
  assert.deepEqual(await w.kinds(), ['gas', 'transfer', 'transfer'], 'no sweep')
  const paid = [await w.balance(small.to), await w.balance(fits.to), await w.balance(address), await w.balance(w.hot)]
  assert.deepEqual(paid, [100n * trx, 199n * trx, trx, before - 100n * trx])
  for (const { id } of [small, fits]) assert.deepEqual(await w.log(id), ['sent', 'in block', 'final'])
  const [swept] = await w.sweeps()
  assert.deepEqual([swept.state, swept.amount, swept.lent], ['swept', String(199n * trx), '0'])
  const [expenses] = await rowsOf(w.deps.owner, 'select count(*)::int as n from gas_expenses')
  assert.equal(expenses.n, 1, 'the gas that was sent; that of the payout is in its price')
  for (const each of await reconcileChain(w.deps, w.chain)) assert.equal(each.verdict, 'agrees', each.asset_id)
})

test('a payout does not wait long for a sweep, and what it leaves is swept', async t => {
  const w = await tronSweepWorld(t, 'http://127.0.0.1:1/orders')
  const address = await w.paid('USDT', 200n * trx)
  w.deps.pass(3_600)
  await w.sweep()
  const late = await w.ask({ amount: 199n * trx })
  await w.settle(2)
  assert.deepEqual(
    [await w.kinds(), await w.log(late.id)],
    [['gas'], []],
    'waits for the sweep, which waits for energy',
  )
  w.deps.pass(301)
  await w.settle(1)
  assert.deepEqual(await w.log(late.id), ['sent', 'in block', 'final'], 'the wallet paid')
  w.deps.pass(600)
  await w.settle()
  assert.deepEqual([await w.balance(address), (await w.sweeps())[0].state], [1n, 'swept'])
})

test('what the signer refuses to pay is swept instead', async t => {
  const w = await tronSweepWorld(t, 'burn')
  const address = await w.paid('USDT', 200n * trx)
  w.deps.pass(3_600)
  const before = await w.balance(w.hot)
  const { assets } = w.signer.policy.chains.tron!
  assets[w.token] = { single: 198n * trx, daily: 1_000n * trx }
  const large = await w.ask({ amount: 199n * trx })
  await w.settle()
  assert.deepEqual(await w.kinds(), ['gas', 'sweep'])
  await assertSwept(w, address, before)
  assert.deepEqual(await w.log(large.id), ['voided: signer: too_large'])
})
