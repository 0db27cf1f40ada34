import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { defineSandboxChain, ethereum } from '../definitions.ts'
import type { AnswerDifference } from '../nodes/nodes.ts'
import { suiteWorld } from '../testing/evm-harness.ts'
import { type Intercept, type ProxyNode, startProxy } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'
import type { JsonObject } from './encoding.ts'

const definition = defineSandboxChain(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] })
const ours = `0x${'0'.repeat(36)}beef`
const filter = { native: true, isOurs: (to: string) => to === ours }

/** Changes each receipt of a node. */
const receipts =
  (change: (receipt: JsonObject) => unknown): Intercept =>
  async ({ method, params }, ask) => {
    const found = (await ask(method, ...params)) as JsonObject[]
    return { result: method === 'eth_getBlockReceipts' ? found.map(change) : found }
  }
const logs = (change: (log: JsonObject) => unknown) =>
  receipts(each => ({ ...each, logs: (each.logs as JsonObject[]).map(change) }))

/** Changes each block of a node that has its transactions, or all of its blocks. */
const blocks =
  (change: (block: JsonObject) => unknown, every = false): Intercept =>
  async ({ method, params }, ask) => {
    const found = (await ask(method, ...params)) as JsonObject
    return { result: method.startsWith('eth_getBlockBy') && (every || params[1]) ? change(found) : found }
  }
const transactions = (change: (tx: JsonObject) => unknown) =>
  blocks(block => ({ ...block, transactions: (block.transactions as JsonObject[]).map(change) }))

const malformed: [what: string, intercept: Intercept][] = [
  ['a status without digits', receipts(each => ({ ...each, status: '0x' }))],
  ['no status', receipts(({ status, ...each }) => each)],
  ['a receipt that is a text', receipts(() => 'receipt')],
  ['a null receipt', receipts(() => null)],
  ['no logs', receipts(({ logs, ...each }) => each)],
  ['logs that are no list', receipts(each => ({ ...each, logs: {} }))],
  ['a null log', logs(() => null)],
  ['null topics', logs(each => ({ ...each, topics: null }))],
  ['a null topic', logs(each => ({ ...each, topics: [null] }))],
  ['a log without data', logs(({ data, ...each }) => each)],
  ['a bloom that is too short', receipts(each => ({ ...each, logsBloom: '0x00' }))],
  ['a type out of range', receipts(each => ({ ...each, type: '0x1ff' }))],
  ['a null transaction', transactions(() => null)],
  ['a value without digits', transactions(each => ({ ...each, value: '0x' }))],
  ['a receiver of another length', transactions(each => ({ ...each, to: '0x12' }))],
  ['no transactions', blocks(({ transactions, ...block }) => block)],
  ['a block that is a text', blocks(() => 'block', true)],
  ['a header without a number', blocks(({ number, ...block }) => block, true)],
  ['a header without a root', blocks(({ receiptsRoot, ...block }) => block, true)],
]

/** The next node is queried at once, and the one that sent it is penalised. */
suite('malformed answers', () => {
  const it = suiteWorld(2, startProxy)

  for (const roots of [true, false])
    for (const [what, intercept] of malformed) {
      if (!roots && what === 'a header without a root') continue
      test(`${what}, ${roots ? 'with' : 'without'} roots`, async () => {
        const [bad, good] = it.nodes as [ProxyNode, ProxyNode]
        const { token } = it.world
        const [txid] = await it.world.pay([[{ token, to: ours, amount: 5n }], [{ token: null, to: ours, amount: 6n }]])
        const failed: string[] = []
        const endpoints = [bad, good].map(({ url }) => ({ url }))
        const onError = (url: string) => failed.push(url)
        const chain = new EvmChain({ ...definition, roots }, { endpoints, onError })
        const head = await new EvmChain(definition, { endpoints: endpoints.slice(1) }).head()
        bad.intercept = intercept
        for (const scan of [
          await chain.transfersIn(head, { ...filter, tokens: [token] }),
          await chain.transfersRange(head.number - 1, head.number, { ...filter, tokens: [token] }),
        ]) {
          const found = scan.transfers.filter(each => each.blockNumber === head.number)
          assert.deepEqual(new Set(found.map(each => each.amount)), new Set([5n, 6n]))
          assert.ok(found.some(each => each.txid === txid))
        }
        if (what !== 'a null receipt') assert.ok(failed.includes(bad.url))
        assert.ok(!failed.includes(good.url))
      })
    }

  test('a block of which all nodes list no receipts is read by single ones, and they are named', async () => {
    const none: Intercept = ({ method }) => (method === 'eth_getBlockReceipts' ? { result: [] } : undefined)
    for (const node of it.nodes) node.intercept = none
    const { token } = it.world
    await it.world.pay([[{ token, to: ours, amount: 5n }]])
    const differing: [url: string, difference: AnswerDifference][] = []
    const endpoints = it.nodes.map(({ url }) => ({ url }))
    const onDiffers = (...told: [string, AnswerDifference]) => differing.push(told)
    const chain = new EvmChain(definition, { endpoints, onDiffers })
    const head = await chain.head()
    const one = await chain.transfersIn(head, { ...filter, tokens: [token] })
    const range = await chain.transfersRange(head.number - 2, head.number, { ...filter, tokens: [token] })
    assert.equal(one.transfers.length, 1)
    assert.ok(range.transfers.length >= 1)
    assert.deepEqual(new Set(differing.map(([url]) => url)), new Set(endpoints.map(({ url }) => url)))
    assert.deepEqual(differing[0]![1], ['no_receipts', 'eth_getBlockReceipts', String(head.number)])
  })

  test('a price of gas that no wallet holds the coin for is refused, and the next node is asked', async () => {
    const [bad, good] = it.nodes as [ProxyNode, ProxyNode]
    bad.intercept = async ({ method, params }, ask) => {
      const found = (await ask(method, ...params)) as JsonObject
      return { result: method.endsWith('Receipt') ? { ...found, effectiveGasPrice: `0x${'f'.repeat(64)}` } : found }
    }
    const [txid] = await it.world.pay([[{ token: null, to: ours, amount: 5n }]])
    const receipt = await new EvmChain(definition, { endpoints: [bad, good].map(({ url }) => ({ url })) }).receipt(
      txid!,
    )
    assert.ok(receipt!.fee < 10n ** 18n)
  })

  test('a block with a time out of any sense is refused', async () => {
    const [bad, good] = it.nodes as [ProxyNode, ProxyNode]
    const open = (node: ProxyNode) => new EvmChain({ ...definition, roots: false }, { endpoints: [{ url: node.url }] })
    bad.intercept = blocks(block => ({ ...block, timestamp: '0x174876e7ff' }), true)
    await assert.rejects(open(bad).head(), /out of any sense/)
    assert.ok((await open(good).head()).time > 0)
  })
})
