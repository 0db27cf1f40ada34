import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Intercept } from '@coffer/chains/testing/proxy.ts'
import { firstRow } from '../../testing/money.ts'
import { CONFIRMATIONS, type PayoutWorld, payoutWorld } from '../../testing/payout-world.ts'
import { watchCoin } from './watch-coin.ts'

const hex = (wei: bigint) => `0x${wei.toString(16)}`
/** Data on layer 1, and the operator: by gas as since Jovian, and per transaction. In wei. */
const l1Fee = 2n * 10n ** 13n
const scalar = 7n
const constant = 3n * 10n ** 14n
const fields = {
  l1Fee: hex(l1Fee),
  operatorFeeScalar: hex(scalar),
  operatorFeeConstant: hex(constant),
  daFootprintGasScalar: '0x190',
}

/** Shows what an OP chain charges in each receipt, or `shown` in its place. */
const showing =
  (shown: object): Intercept =>
  async ({ method, params }, ask) => {
    if (method !== 'eth_getTransactionReceipt' && method !== 'eth_getBlockReceipts') return undefined
    const found = (await ask(method, ...params)) as object | object[] | null
    if (found === null) return undefined
    return { result: Array.isArray(found) ? found.map(each => ({ ...each, ...shown })) : { ...found, ...shown } }
  }

/** Pays on a chain that charges `charged` beyond gas, and shows `shown`. Returns why the wallet is halted, or null. */
async function afterPaying(w: PayoutWorld, shown: object, charged: (gasUsed: bigint) => bigint) {
  for (const node of w.proxies) node.intercept = showing(shown)
  const watch = async () => {
    for (let i = 0; i < 3; i++) {
      await w.mine(CONFIRMATIONS)
      await watchCoin(w.deps, w.chain)
    }
  }
  await watch()
  await w.ask()
  await w.pass()
  await w.mine()
  const [{ txid }] = await w.attempts()
  const receipt = await w.call<{ gasUsed: string }>('eth_getTransactionReceipt', txid)
  const left = BigInt(await w.call<string>('eth_getBalance', w.hot, 'latest')) - charged(BigInt(receipt.gasUsed))
  await w.call('anvil_setBalance', w.hot, hex(left))
  await w.pass()
  await w.confirm()
  await watch()
  return (await firstRow(w.deps.owner, 'select halted from wallets')).halted as string | null
}

const surcharge = { stack: 'op', most: '0.001' } as const
const all = (gasUsed: bigint) => l1Fee + gasUsed * scalar * 100n + constant

test('what an OP chain charges for data and its operator is part of the fee, and no halt', async t => {
  const w = await payoutWorld(t, { nodes: 3, surcharge })
  assert.equal(await afterPaying(w, fields, all), null)
  const [{ fee, txid }] = await w.outgoing()
  const receipt = await w.call<Record<string, string>>('eth_getTransactionReceipt', txid)
  const ofGas = BigInt(receipt.gasUsed!) * BigInt(receipt.effectiveGasPrice!)
  assert.equal(BigInt(fee), ofGas + all(BigInt(receipt.gasUsed!)))
})

test('a fee that receipts do not show is no halt within what the definition states, and beyond the halt names it', async t => {
  const within = await payoutWorld(t, { surcharge })
  assert.equal(await afterPaying(within, {}, () => 9n * 10n ** 14n), null)
  const beyond = await payoutWorld(t, { surcharge })
  const reason = await afterPaying(beyond, {}, () => 2n * 10n ** 15n)
  assert.match(reason ?? '', /^coin_left \| 0\.002 ETH \| .* \| 0\.001\d* ETH$/)
})

test('one node of three that invents a surcharge books nothing', async t => {
  const w = await payoutWorld(t, { nodes: 3, surcharge })
  for (const node of w.proxies.slice(1)) node.intercept = showing(fields)
  w.proxies[0]!.intercept = showing({ ...fields, l1Fee: hex(9n * 10n ** 14n) })
  await w.ask()
  await w.pass()
  await w.mine()
  await w.pass()
  await w.confirm()
  const [{ fee, state, txid }] = await w.outgoing()
  const receipt = await w.call<Record<string, string>>('eth_getTransactionReceipt', txid)
  const ofGas = BigInt(receipt.gasUsed!) * BigInt(receipt.effectiveGasPrice!)
  assert.deepEqual([state, BigInt(fee)], ['final', ofGas + all(BigInt(receipt.gasUsed!))])
})
