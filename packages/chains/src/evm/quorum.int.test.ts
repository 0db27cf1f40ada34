import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { ethereum, sandboxOf } from '../definitions.ts'
import { makeWorld, type World } from '../testing/evm-harness.ts'
import { type Intercept, type ProxyNode, startProxy } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'

const definition = sandboxOf(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] })
const to = `0x${'0'.repeat(36)}cafe`

suite('quorum of nodes', () => {
  let world: World
  let proxies: ProxyNode[]
  const ends: (() => Promise<void> | void)[] = []
  const chainOf = (...nodes: ProxyNode[]) =>
    new EvmChain(definition, { endpoints: nodes.map(({ url }) => ({ url })), timeoutMs: 1_000 })

  before(async () => {
    world = await makeWorld((await withAnvil({ after: end => ends.push(end) })).url)
    proxies = await Promise.all([1, 2, 3].map(() => startProxy(world.url)))
  })
  after(async () => {
    for (const proxy of proxies) await proxy.stop()
    for (const end of ends) await end()
  })
  beforeEach(() => {
    for (const proxy of proxies) proxy.reset()
  })

  test('confirms only transfers that a quorum has in the block', async () => {
    const [faulty, ...honest] = proxies as [ProxyNode, ProxyNode, ProxyNode]
    await world.pay([[{ token: world.token, to, amount: 5n }], [{ token: null, to, amount: 6n }]])
    const chain = chainOf(faulty, ...honest)
    const head = await chain.head()
    const both = { tokens: [world.token], native: true, isOurs: (address: string) => address === to }
    const { transfers } = await chain.transfersIn(head, both)
    assert.deepEqual(await chain.confirmedByQuorum(transfers), transfers)
    faulty.intercept = async ({ method, params }, ask) => {
      const real = await ask(method, ...params)
      if (method === 'eth_getLogs') {
        const [log] = real as { logIndex: string }[]
        return { result: [log, { ...log, logIndex: '0x7' }] }
      }
      if (method !== 'eth_getBlockByHash') return undefined
      const block = real as { transactions: { to: string; value: string }[] }
      const transactions = block.transactions.map(each => (each.to === to ? { ...each, value: '0x99' } : each))
      return { result: { ...block, transactions } }
    }
    const reported = (await chain.transfersIn(head, both)).transfers
    assert.deepEqual(
      reported.map(each => [each.token, each.amount]),
      [
        [null, 153n],
        [world.token, 5n],
        [world.token, 5n],
      ],
    )
    assert.deepEqual(
      (await chain.confirmedByQuorum(reported)).map(each => [each.token, each.amount]),
      [[world.token, 5n]],
    )
    honest[0].intercept = () => ({ result: null })
    assert.deepEqual(await chain.confirmedByQuorum(transfers), transfers, 'two of three suffice')
    honest[1].intercept = () => ({ result: null })
    assert.deepEqual(await chain.confirmedByQuorum(transfers), [])
    assert.deepEqual(await chainOf(faulty).confirmedByQuorum(reported), reported, 'a single node is trusted')
  })

  test('agrees on a balance only with most of the nodes that have the state', async () => {
    const [faulty, other, third] = proxies as [ProxyNode, ProxyNode, ProxyNode]
    const chain = chainOf(faulty, other, third)
    const head = await chain.head()
    const balance = await chain.balanceOf(null, to, head)
    const agreed = () => Promise.all([balance, 99n].map(each => chain.agreesOnBalance(to, head, each)))
    const reply =
      (answer: object): Intercept =>
      ({ method }) =>
        method === 'eth_getBalance' ? answer : undefined
    faulty.intercept = reply({ result: '0x63' })
    assert.deepEqual(await agreed(), [true, false])
    other.intercept = reply({ error: { code: -32000, message: 'missing trie node' } })
    assert.deepEqual(await agreed(), [false, false], 'a tie')
    faulty.reset()
    assert.deepEqual(await agreed(), [true, false])
    for (const node of [faulty, third]) node.intercept = other.intercept
    assert.deepEqual(await agreed(), [false, false], 'no node has the state')
  })
})
