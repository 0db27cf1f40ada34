import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Intercept } from '@coffer/chains/testing/proxy.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS, type PayoutWorld, payoutWorld } from '../../testing/payout-world.ts'
import { stuckTransactionSeconds, watchStuckTransactions } from './watch-stuck-transactions.ts'

const done = ['sent', 'in block', 'final']
const l1Fee = `0x${(3n * 10n ** 17n).toString(16)}`

/** Makes a node change each receipt, single or in lists. */
const receipts =
  (change: (receipt: object) => object): Intercept =>
  async ({ method, params }, ask) => {
    if (method !== 'eth_getTransactionReceipt' && method !== 'eth_getBlockReceipts') return undefined
    const found = (await ask(method, ...params)) as object | object[] | null
    if (found === null) return undefined
    return { result: Array.isArray(found) ? found.map(change) : change(found) }
  }

/** Pays, and returns the payout once it is in a block. */
async function paid(w: PayoutWorld) {
  const payout = await w.ask()
  await w.pass()
  await w.mine()
  await w.pass()
  return payout
}

const feeOf = async (w: PayoutWorld) => BigInt((await w.outgoing())[0].fee)
/** What the chain charged, as the honest node says. */
async function charged(w: PayoutWorld) {
  const [{ txid }] = await w.outgoing()
  const receipt = await w.call<Record<string, string>>('eth_getTransactionReceipt', txid)
  return BigInt(receipt.gasUsed!) * BigInt(receipt.effectiveGasPrice!)
}

const lies: Record<string, (w: PayoutWorld) => Promise<(receipt: object) => object>> = {
  'the price of gas': async () => receipt => ({ ...receipt, effectiveGasPrice: '0x1' }),
  'the gas used': async () => receipt => ({ ...receipt, gasUsed: '0x5208' }),
  'a fee of layer 1': async () => receipt => ({ ...receipt, l1Fee }),
  'a block that nobody has': async () => receipt => ({ ...receipt, blockHash: `0x${'5'.repeat(64)}` }),
  'a block that does not hold it': async w => {
    const { number, hash } = await w.call<Record<string, string>>('eth_getBlockByNumber', '0x1', false)
    return receipt => ({ ...receipt, blockNumber: number, blockHash: hash })
  },
}

for (const [what, lie] of Object.entries(lies))
  for (const roots of [true, false])
    test(`one node of three lies about ${what}, ${roots ? 'with' : 'without'} roots: the payout ends with its fee`, async t => {
      const w = await payoutWorld(t, { nodes: 3, roots })
      const change = receipts(await lie(w))
      for (const node of w.proxies.slice(0, 1)) node.intercept = change
      const payout = await paid(w)
      for (let i = 0; i < 2; i++) await w.confirm()
      assert.deepEqual((await w.log(payout.id)).at(-1), 'final')
      assert.equal(await feeOf(w), await charged(w))
    })

for (const roots of [true, false])
  for (const place of [0, 1, 2])
    test(`node ${place} of three names a replacement that was never mined, ${roots ? 'with' : 'without'} roots: the payout ends by what was`, async t => {
      const w = await payoutWorld(t, { nodes: 3, roots })
      const payout = await w.ask()
      await w.pass()
      const [first] = await w.attempts()
      await w.call('anvil_setNextBlockBaseFeePerGas', `0x${(BigInt(first.max_fee) * 2n).toString(16)}`)
      await w.call('anvil_mine', '0x1')
      w.deps.pass(180)
      await w.pass()
      const [, second] = await w.attempts()
      await w.call('anvil_dropAllTransactions')
      await w.call('anvil_setNextBlockBaseFeePerGas', '0x1')
      await w.call('anvil_mine', '0x1')
      await w.call('eth_sendRawTransaction', first.raw)
      w.proxies[place]!.intercept = async ({ method, params }, ask) => {
        if (method !== 'eth_getTransactionReceipt' || params[0] !== second.txid) return undefined
        const { number, hash } = (await ask('eth_getBlockByNumber', '0x1', false)) as Record<string, string>
        const receipt = (await ask(method, first.txid)) as object | null
        return { result: receipt && { ...receipt, transactionHash: second.txid, blockNumber: number, blockHash: hash } }
      }
      await w.mine()
      await w.pass()
      for (let i = 0; i < 2; i++) await w.confirm()
      assert.deepEqual(await w.log(payout.id), done)
      assert.equal((await w.outgoing())[0].txid, first.txid)
    })

test('a fee above what was signed is never booked, though most nodes report it: the operator is told', async t => {
  const w = await payoutWorld(t, { nodes: 3, roots: false })
  const payout = await paid(w)
  for (const node of w.proxies) node.intercept = receipts(each => ({ ...each, effectiveGasPrice: '0x174876e8000' }))
  await w.mine(CONFIRMATIONS)
  await w.pass()
  await w.pass()
  const [row] = await w.outgoing()
  assert.equal(row.state, 'in_block')
  assert.match(row.waits, /^fee_above \| [\d.]+ ETH \| [\d.]+ ETH \| 0 ETH \| 0 ETH$/)
  const gas = "select count(*)::int as n from ledger_postings where kind = 'gas'"
  assert.equal((await firstRow(w.deps.owner, gas)).n, 0)
  const stuck = () =>
    rowsOf(w.deps.owner, "select detail ->> 'reason' as reason from incidents where resolved_at is null")
  await watchStuckTransactions(w.deps)
  assert.deepEqual(await stuck(), [], 'not yet')
  w.deps.pass(stuckTransactionSeconds)
  await watchStuckTransactions(w.deps)
  assert.deepEqual(await stuck(), [{ reason: row.waits }])
  for (const node of w.proxies) node.reset()
  await w.pass()
  assert.deepEqual(await w.log(payout.id), done)
  w.deps.pass(61)
  await watchStuckTransactions(w.deps)
  assert.deepEqual(await stuck(), [])
})

test('a receipt on which nodes do not agree is an incident', async t => {
  const w = await payoutWorld(t, { nodes: 3, roots: false })
  await paid(w)
  for (const [i, node] of w.proxies.entries())
    node.intercept = receipts(each => ({ ...each, effectiveGasPrice: `0x${i + 1}` }))
  await w.mine(CONFIRMATIONS)
  await w.pass()
  w.deps.pass(stuckTransactionSeconds)
  await watchStuckTransactions(w.deps)
  const { kind, detail } = await firstRow(w.deps.owner, 'select kind, detail from incidents')
  assert.deepEqual([kind, detail.reason], ['payout_stuck', 'receipt_uncertain'])
})
