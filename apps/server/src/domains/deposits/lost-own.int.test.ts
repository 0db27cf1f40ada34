import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catchUp } from '../../testing/followed.ts'
import { visitor } from '../../testing/merchants.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS } from '../../testing/payout-world.ts'
import { sweepWorld, tronSweepWorld } from '../../testing/sweep-world.ts'
import { assignFixedAddress } from '../addresses/assign-address.ts'
import { readPayoutStop } from '../chains/store.ts'
import { cancelOutgoing } from '../outgoing/cancel-outgoing.ts'
import { requestCollection } from '../sweeps/collect.ts'
import { type BalanceReading, findNativeDeposits } from './find-native-deposits.ts'
import { resumeChain } from './resume-chain.ts'

const ether = 10n ** 18n

/** A world with native coin that blocks do not list, whose chain can leave blocks with transactions of ours. */
async function losing(...given: Parameters<typeof sweepWorld>) {
  const w = await sweepWorld(...given)
  const { id } = w.definition
  const query = (sql: string) => rowsOf(w.deps.owner, sql)
  return {
    ...w,
    find: () => findNativeDeposits(w.deps, w.chain),
    /**
     * Replaces the blocks from that of the last settled transaction on by empty ones, and has an operator resume the
     * chain.
     */
    lose: async () => {
      const [{ block }] = await query('select max(settled_block) as block from own_transactions')
      await w.reorg(Number(await w.call<string>('eth_blockNumber')) - block + 1, 'lost')
      await w.mine(2)
      const { halted } = await firstRow(w.deps.owner, 'select halted from chains where id = $1', [id])
      assert.match(halted, /^deep_reorg /)
      await resumeChain(w.deps, { chainId: id })
      await catchUp(w.deps, w.chain)
    },
    /** Mines signed bytes until they are final, and has the engine find them. */
    again: async (raw: string) => {
      await w.call('eth_sendRawTransaction', raw)
      await w.mine(CONFIRMATIONS)
      for (let i = 0; i < 2; i++) await w.pass()
    },
    notes: () =>
      query('select txid, settled_block is not null as settled, coin from own_transactions order by created_at'),
    /** Deposits of native coin: what was found, and what blocks list. */
    found: async () =>
      (await query(`select amount from deposits where txid like 'reconciled:%'`)).map(each => each.amount),
    listed: async () =>
      (await query(`select amount from deposits where asset_id = 'eth:ETH' and txid not like 'reconciled:%'`)).map(
        each => each.amount,
      ),
    stopped: () => readPayoutStop(w.deps.pool, id, ''),
  }
}

/** The native coin of a payment was swept, and the sweep is lost. */
async function lostSweep(...given: Parameters<typeof sweepWorld>) {
  const w = await losing(...given)
  const [address] = (await w.paid([ether], 'ETH')) as [string]
  assert.equal(await w.find(), 0)
  await w.sweep()
  await w.settle()
  assert.ok((await w.chain.balanceOf(null, address)) < ether / 100n, 'it is swept')
  const [{ raw, txid }] = (await w.attempts()).filter(each => each.from_address === address)
  const receipt = await w.call('eth_getTransactionReceipt', txid)
  await w.lose()
  assert.equal(await w.chain.balanceOf(null, address), ether)
  return { ...w, address, raw, txid, receipt }
}

test('coin that a lost sweep no longer took is no deposit, nor is it missing once the sweep took it', async t => {
  const w = await lostSweep(t)
  assert.equal(await w.find(), 0)
  assert.deepEqual(await w.notes(), [{ txid: w.txid, settled: false, coin: null }])
  await w.again(w.raw)
  assert.equal(await w.find(), 0)
  // At another fee than before.
  const left = await w.chain.balanceOf(null, w.address)
  assert.deepEqual(await w.notes(), [{ txid: w.txid, settled: true, coin: String(left - ether) }])
  await w.mine(1)
  assert.equal(await w.find(), 0)
  assert.deepEqual([await w.found(), await w.stopped()], [[], undefined])
})

test('coin that comes while a sweep is lost is found once, whether the sweep is mined again or not', async t => {
  const w = await lostSweep(t)
  assert.equal(await w.find(), 0)
  await w.payInside(w.address, 3n)
  await w.mine(CONFIRMATIONS)
  assert.equal(await w.find(), 1)
  await w.again(w.raw)
  assert.equal(await w.find(), 0)
  await w.payInside(w.address, 5n)
  await w.mine(CONFIRMATIONS)
  assert.equal(await w.find(), 1)
  assert.deepEqual([(await w.found()).sort(), await w.stopped()], [['3', '5'], undefined])
  await w.lose()
  assert.equal(await w.find(), 0)
  assert.deepEqual([(await w.found()).length, await w.stopped()], [2, undefined])
})

test('coin is found beside a lost sweep only once most nodes have it in no block', async t => {
  const w = await lostSweep(t, { nodes: 3 })
  await w.payInside(w.address, 3n)
  await w.mine(CONFIRMATIONS)
  const [one, two, three] = w.proxies
  const isReceipt = ({ method }: { method: string }) => method === 'eth_getTransactionReceipt'
  one!.intercept = message => (isReceipt(message) ? { result: w.receipt } : undefined)
  assert.equal(await w.find(), 0, 'a node has its receipt')
  one!.reset()
  for (const each of [two!, three!])
    each.intercept = message => (isReceipt(message) ? { error: { code: -32000, message: 'busy' } } : undefined)
  assert.equal(await w.find(), 0, 'two say nothing')
  three!.reset()
  assert.equal(await w.find(), 1)
  assert.deepEqual(await w.found(), ['3'])
})

test('gas that a lost transaction sent is no deposit when the one that it replaced is mined', async t => {
  const w = await losing(t)
  const fixed = (await assignFixedAddress(w.deps, w.merchant.id, w.definition.id)).address.toLowerCase()
  await catchUp(w.deps, w.chain)
  await w.pay([[{ token: w.token, to: fixed, amount: 500_000_000n }]])
  await w.mine(CONFIRMATIONS)
  w.deps.pass(3_600)
  await w.sweep()
  await w.pass()
  const [first] = await w.attempts()
  await w.call('anvil_setNextBlockBaseFeePerGas', `0x${(BigInt(first.max_fee) * 2n).toString(16)}`)
  await w.call('anvil_mine', '0x1')
  w.deps.pass(180)
  await w.pass()
  await w.mine(CONFIRMATIONS)
  await w.pass()
  const [, second] = await w.attempts()
  assert.deepEqual(
    (await w.notes()).map(each => [each.txid, each.settled]),
    [[second.txid, true]],
  )
  await w.lose()
  await w.call('anvil_setNextBlockBaseFeePerGas', '0x1')
  await w.again(first.raw)
  assert.equal(await w.find(), 0)
  assert.deepEqual(
    (await w.notes()).map(each => [each.txid, each.settled]),
    [[first.txid, true]],
  )
  assert.deepEqual([await w.found(), await w.listed()], [[], []])
})

test('an address on TRON is compared again once a sweep of it is void', async t => {
  const w = await tronSweepWorld(t, 'burn')
  const address = await w.paid('TRX', 1_000_000_000n)
  const readings: BalanceReading[] = []
  const find = () => findNativeDeposits(w.deps, w.chain, readings)
  const notes = () => rowsOf(w.deps.owner, 'select settled_block, absent_to from own_transactions')
  await requestCollection(w.deps, { merchantId: w.merchant.id, chainId: 'tron', from: visitor })
  w.proxies[0]!.forgets = true
  await w.sweep()
  await w.pass()
  const [{ nonce }] = await w.outgoing()
  await cancelOutgoing(w.deps.pool, { chain_id: 'tron', from_address: address, nonce }, 'asked', w.deps.clock())
  await find()
  assert.deepEqual(await notes(), [{ settled_block: null, absent_to: null }], 'it may still be mined')
  await w.later(200)
  await w.pass()
  assert.deepEqual(
    (await w.outgoing()).map(each => each.state),
    ['void'],
  )
  await w.payInside(address, 3n)
  await w.mine(CONFIRMATIONS)
  const found = [await find()]
  assert.deepEqual(await notes(), [])
  await w.mine(CONFIRMATIONS)
  found.push(await find())
  assert.deepEqual(found, [0, 1])
})
