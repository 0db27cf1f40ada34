import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { defineSandboxChain, ethereum } from '../definitions.ts'
import { suiteWorld } from '../testing/evm-harness.ts'
import { type Intercept, type ProxyNode, startProxy } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'
import { readSurcharge } from './surcharge.ts'

const plain = defineSandboxChain(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] })
const op = { ...plain, surcharge: { stack: 'op' as const, most: '0.001' } }
const to = `0x${'7'.repeat(40)}`

/** Adds fields to each receipt, as a node of an OP chain does, or one that lies. */
const adding =
  (more: object): Intercept =>
  async ({ method, params }, ask) => {
    if (method !== 'eth_getTransactionReceipt' && method !== 'eth_getBlockReceipts') return undefined
    const found = (await ask(method, ...params)) as object | object[]
    const added = [found].flat().map(each => ({ ...each, ...more }))
    return { result: method === 'eth_getBlockReceipts' ? added : added[0] }
  }

suite('what a chain charges beyond gas', () => {
  const it = suiteWorld(3, startProxy)
  const opened = (definition: typeof plain, more: object = {}) =>
    new EvmChain({ ...definition, ...more }, { endpoints: it.nodes.map(({ url }) => ({ url })) })

  async function paid() {
    const [txid] = await it.world.pay([[{ token: it.world.token, to, amount: 5n }]])
    const receipt = (await opened(plain).receipt(txid!))!
    return {
      txid: txid!,
      gas: receipt.gasUsed,
      fee: receipt.fee,
      at: { number: receipt.blockNumber, hash: receipt.blockHash },
    }
  }

  test('a chain that charges nothing beyond gas by its definition has no such fee, whatever nodes report', async () => {
    const { txid, fee, at } = await paid()
    for (const node of it.nodes) node.intercept = adding({ l1Fee: '0x429d069189e0000', operatorFeeConstant: '0xff' })
    for (const chain of [opened(plain), opened(plain, { roots: false })]) {
      const receipts = [await chain.receipt(txid), await chain.certainReceipt(txid, at)]
      assert.deepEqual(
        receipts.map(each => each?.fee),
        [fee, fee],
      )
    }
  })

  test('on a chain of the OP Stack most nodes must report the same', async () => {
    const { txid, gas, fee, at } = await paid()
    const fields = {
      l1Fee: '0x64',
      operatorFeeScalar: '0x3',
      operatorFeeConstant: '0x7',
      daFootprintGasScalar: '0x190',
    }
    const charged = 100n + gas * 300n + 7n
    for (const more of [{}, { roots: false }])
      for (const liar of it.nodes) {
        for (const node of it.nodes) node.intercept = adding(fields)
        liar.intercept = adding({ ...fields, l1Fee: '0x429d069189e0000' })
        const found = await opened(op, more).certainReceipt(txid, at)
        assert.deepEqual([found?.fee, found?.surcharge], [fee + charged, charged])
      }
    const [a, b, c] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    for (const [i, node] of [a, b, c].entries()) node.intercept = adding({ ...fields, l1Fee: `0x${i + 1}` })
    assert.equal(await opened(op).certainReceipt(txid, at), null, 'no two agree')
  })

  test('a node that names another block does not hide the right one', async () => {
    const { txid, at } = await paid()
    const [liar] = it.nodes as [ProxyNode]
    liar.intercept = adding({ blockHash: `0x${'5'.repeat(64)}` })
    assert.deepEqual((await opened(plain).placesOf(txid))[0], at)
  })
})

test('the fee of the operator is counted by the rules of Isthmus and of Jovian', () => {
  const fields = { l1Fee: '0x64', operatorFeeScalar: '0x1e8480', operatorFeeConstant: '0x7' }
  assert.equal(readSurcharge(fields, 21_000n), 100n + 42_000n + 7n)
  assert.equal(readSurcharge({ ...fields, daFootprintGasScalar: '0x190' }, 21_000n), 100n + 4_200_000_000_000n + 7n)
  assert.equal(readSurcharge({ l1Fee: null }, 21_000n), 0n)
  assert.throws(() => readSurcharge({ l1Fee: 'all' }, 21_000n))
})
