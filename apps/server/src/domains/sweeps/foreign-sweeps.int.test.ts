import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweeperOf } from '@coffer/chains'
import { Sweeper } from '@coffer/chains/evm/generated/contracts.ts'
import type { Hex } from 'viem'
import { encodeFunctionData } from 'viem/utils'
import { rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS } from '../../testing/payout-world.ts'
import { sweepWorld } from '../../testing/sweep-world.ts'

type World = Awaited<ReturnType<typeof sweepWorld>>

/** Sweeps an address of its own, so that it is delegated to Sweeper, and pays it again. */
async function delegated(w: World, amounts: bigint[]) {
  const addresses = await w.paid(amounts)
  await w.sweep()
  await w.settle()
  await w.deps.owner.query('update deposit_addresses set free_at = 0')
  await w.deps.owner.query('update payments set status = 2, expire_at = 0')
  assert.deepEqual((await w.paid(amounts)).sort(), addresses.sort())
  return addresses
}

/** Calls Sweeper as anybody may. */
const callSweeper = (w: World, owners: string[]) =>
  w.submit(
    sweeperOf(w.hot).address,
    encodeFunctionData({ abi: Sweeper.abi, functionName: 'sweepMany', args: [w.token as Hex, owners as Hex[]] }),
  )

const unswept = (w: World) =>
  rowsOf(w.deps.owner, `select id from deposits where state = 'credited' and sweep_id is null`)
const ours = (w: World) => rowsOf(w.deps.owner, `select * from outgoing where intent ->> 'kind' = 'sweepMany'`)

test('what a stranger sweeps to the treasury is booked as swept, and costs the merchant nothing, today and tomorrow', async t => {
  const w = await sweepWorld(t)
  const [address] = await delegated(w, [200_000_000n])
  const before = { sent: (await ours(w)).length, charged: await w.expenses(), hot: await w.balance(w.hot) }
  const txid = await callSweeper(w, [address!])
  await w.mine(CONFIRMATIONS)
  assert.equal((await w.balance(w.hot)) - before.hot, 200_000_000n)
  assert.deepEqual(await unswept(w), [])
  const [own, foreign, ...more] = await w.sweeps()
  assert.deepEqual(
    [own.state, foreign.state, foreign.reason, foreign.amount],
    ['swept', 'swept', 'foreign', '200000000'],
  )
  assert.deepEqual([foreign.address, foreign.txid, foreign.merchant_id, more], [address, txid, w.merchant.id, []])
  for (let day = 0; day < 2; day++) {
    await w.sweep()
    await w.settle()
    w.deps.pass(86_401)
  }
  assert.equal((await ours(w)).length, before.sent)
  assert.deepEqual(await w.expenses(), before.charged)
})

test('a sweep of ours that a stranger was faster with is charged to nobody, and nothing is swept twice', async t => {
  const w = await sweepWorld(t)
  const addresses = await delegated(w, [200_000_000n, 100_000_000n])
  const before = { charged: await w.expenses(), hot: await w.balance(w.hot) }
  await w.sweep()
  await callSweeper(w, addresses)
  await w.mine(1)
  await w.settle()
  const [mine] = (await ours(w)).slice(-1)
  assert.deepEqual([mine.state, mine.outcome], ['final', 'success'])
  assert.equal((await w.balance(w.hot)) - before.hot, 300_000_000n)
  const states = (await w.sweeps()).slice(2).map(each => `${each.reason} ${each.state}`)
  assert.deepEqual(states.sort(), ['foreign swept', 'foreign swept', 'worth failed', 'worth failed'])
  assert.deepEqual(await unswept(w), [])
  assert.deepEqual(await w.expenses(), before.charged)
})

test('only what a transaction swept is charged for it', async t => {
  const w = await sweepWorld(t)
  const [kept, taken] = await delegated(w, [200_000_000n, 100_000_000n])
  const charged = (await w.expenses()).length
  await w.sweep()
  await callSweeper(w, [taken!])
  await w.mine(1)
  await w.settle()
  const [{ fee, txid }] = (await ours(w)).slice(-1)
  const added = (await w.expenses()).filter(each => each.txid === txid)
  assert.deepEqual([charged + added.length, added.length], [(await w.expenses()).length, 1])
  assert.equal(added[0].amount, fee)
  const states = Object.fromEntries(
    (await w.sweeps()).slice(2).map(each => [`${each.reason} ${each.address}`, each.state]),
  )
  assert.deepEqual(states, { [`worth ${kept}`]: 'swept', [`worth ${taken}`]: 'failed', [`foreign ${taken}`]: 'swept' })
})

test('an empty address is not swept, whoever emptied it', async t => {
  const w = await sweepWorld(t)
  const [address] = await w.paid([200_000_000n])
  // Unseen by the blocks that are read.
  await w.call('anvil_impersonateAccount', address)
  await w.call('anvil_setBalance', address, '0xde0b6b3a7640000')
  const data = `0xa9059cbb${'b'.repeat(40).padStart(64, '0')}${200_000_000n.toString(16).padStart(64, '0')}`
  await w.call('eth_sendTransaction', { from: address, to: w.token, data, gas: '0x30d40' })
  await w.mine(CONFIRMATIONS)
  await w.sweep()
  await w.settle()
  assert.deepEqual([await ours(w), await w.expenses(), await w.sweeps()], [[], [], []])
})
