import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { ethereum, sandboxOf } from '../definitions.ts'
import { makeWorld, type World } from '../testing/evm-harness.ts'
import { type ProxyNode, startProxy, type Twist } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'

const definition = sandboxOf(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] })
const to = `0x${'0'.repeat(36)}cafe`

suite('what one node tells alone', () => {
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
    for (const proxy of proxies) proxy.heal()
  })

  test('what one node of three tells of a block, and the others do not have in it, is not confirmed', async () => {
    const [liar, ...honest] = proxies as [ProxyNode, ProxyNode, ProxyNode]
    await world.pay([[{ token: world.token, to, amount: 5n }], [{ token: null, to, amount: 6n }]])
    const chain = chainOf(liar, ...honest)
    const head = await chain.head()
    const both = { tokens: [world.token], native: true, isOurs: (address: string) => address === to }
    const { transfers } = await chain.transfersIn(head, both)
    assert.deepEqual(await chain.confirmedByQuorum(transfers), transfers)
    liar.twist = async ({ method, params }, ask) => {
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
    const told = (await chain.transfersIn(head, both)).transfers
    assert.deepEqual(
      told.map(each => [each.token, each.amount]),
      [
        [null, 153n],
        [world.token, 5n],
        [world.token, 5n],
      ],
    )
    assert.deepEqual(
      (await chain.confirmedByQuorum(told)).map(each => [each.token, each.amount]),
      [[world.token, 5n]],
    )
    honest[0].twist = () => ({ result: null })
    assert.deepEqual(await chain.confirmedByQuorum(transfers), transfers, 'of three, two are enough')
    honest[1].twist = () => ({ result: null })
    assert.deepEqual(await chain.confirmedByQuorum(transfers), [])
    assert.deepEqual(await chainOf(liar).confirmedByQuorum(told), told, 'one that is alone is believed')
  })

  test('a balance that most of the nodes that remember contradict is not agreed on', async () => {
    const [liar, other, third] = proxies as [ProxyNode, ProxyNode, ProxyNode]
    const chain = chainOf(liar, other, third)
    const head = await chain.head()
    const balance = await chain.balanceOf(null, to, head)
    const agreed = () => Promise.all([balance, 99n].map(each => chain.agreesOnBalance(to, head, each)))
    const say =
      (answer: object): Twist =>
      ({ method }) =>
        method === 'eth_getBalance' ? answer : undefined
    liar.twist = say({ result: '0x63' })
    assert.deepEqual(await agreed(), [true, false])
    other.twist = say({ error: { code: -32000, message: 'missing trie node' } })
    assert.deepEqual(await agreed(), [false, false], 'one against one')
    liar.heal()
    assert.deepEqual(await agreed(), [true, false])
    for (const node of [liar, third]) node.twist = other.twist
    assert.deepEqual(await agreed(), [false, false], 'nobody remembers')
  })
})
