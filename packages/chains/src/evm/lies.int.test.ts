import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Consumer } from '../conformance-consumer.ts'
import { defineSandboxChain, ethereum } from '../definitions.ts'
import { suiteWorld } from '../testing/evm-harness.ts'
import { type Lie, lied, lies } from '../testing/lies.ts'
import { type Intercept, type ProxyNode, startProxy } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'

const definition = defineSandboxChain(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] })
const [ours, others] = ['beef', 'cafe'].map(end => `0x${end.padStart(40, '0')}`) as [string, string]

/**
 * One honest node that answers is enough for the contents of a block, whatever all others report, and wherever it
 * stands.
 */
suite('lies about what a block holds', () => {
  const it = suiteWorld(3, startProxy)
  const lying =
    (lie: Lie): Intercept =>
    async ({ method, params }, ask) => ({ result: lied(lie, method, await ask(method, ...params)) })
  const isOurs = (to: string) => to === ours || to === others

  /** Pays twice in one transaction and once in native coin, and follows through these nodes. */
  async function credited(nodes: ProxyNode[], catchingUp: boolean) {
    const endpoints = nodes.map(({ url }) => ({ url }))
    let now = 0
    const chain = new EvmChain(definition, { endpoints, timeoutMs: 2_000, now: () => now })
    const start = Number(await it.world.call('eth_blockNumber')) + 1
    const consumer = new Consumer(chain, { tokens: [it.world.token], native: true, isOurs }, start)
    const { token } = it.world
    const [spread, coin] = await it.world.pay([
      [
        { token, to: ours, amount: 5n },
        { token, to: others, amount: 7n },
      ],
      [{ token: null, to: ours, amount: 9n }],
    ])
    const { timestamp } = await it.world.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
    if (!catchingUp) await consumer.catchUp()
    for (let round = 0; round < 8; round++) {
      now += 61_000
      await it.world.mine(catchingUp && round === 0 ? 12 : 1)
      await consumer.catchUp()
    }
    const wanted = [
      [spread, 0, ours, 5n],
      [spread, 1, others, 7n],
      [coin, 0, ours, 9n],
    ]
    const time = Number(timestamp)
    const found = [...consumer.credited.values()].sort((a, b) => Number(a.amount - b.amount))
    assert.deepEqual(
      found.map(each => [each.txid, each.ordinal, each.to, each.amount, each.from, each.blockTime]),
      wanted.map(each => [...each, it.world.payer, time]),
    )
  }

  for (const lie of lies)
    test(`${lie}: nothing is lost, doubled, misplaced or misdated`, async () => {
      const [a, b, honest] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
      for (const nodes of [it.nodes, it.nodes.toReversed()])
        for (const catchingUp of [false, true]) {
          // A lie about the time is one about the header, of which most nodes must have the right one.
          for (const node of lie === 'time' ? [a] : [a, b]) node.intercept = lying(lie)
          await credited(nodes, catchingUp)
        }
      honest.intercept = ({ method }) =>
        method === 'eth_getBlockReceipts' ? { error: { code: -32601, message: 'no such method' } } : undefined
      await credited(it.nodes, true)
    })

  test('roots of blocks of any size are those of the node', async () => {
    const chain = new EvmChain(definition, { endpoints: [{ url: it.world.url }] })
    const filter = { tokens: [], native: true, isOurs }
    for (const count of [1, 2, 16, 17, 127, 128, 129, 257]) {
      for (let i = 0; i < count; i++) await it.world.submit(ours, '0x', 1n)
      await it.world.mine(1)
      assert.equal((await chain.transfersIn(await chain.head(), filter)).transfers.length, count)
    }
  })

  test('a node that writes the same bytes in another way hides nothing', async () => {
    const [a] = it.nodes as [ProxyNode]
    const upper = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_, each) =>
        typeof each === 'string' && each.startsWith('0x') ? `0x${each.slice(2).toUpperCase()}` : each,
      )
    a.intercept = async ({ method, params }, ask) => {
      const result = await ask(method, ...params)
      return { result: method === 'eth_getBlockReceipts' ? upper(result) : result }
    }
    await credited([a], false)
  })

  test('the sender of native coin is who signed, whatever a node reports', async () => {
    const [a] = it.nodes as [ProxyNode]
    a.intercept = async ({ method, params }, ask) => {
      const result = (await ask(method, ...params)) as { transactions: object[] }
      if (method !== 'eth_getBlockByHash') return { result }
      return { result: { ...result, transactions: result.transactions.map(tx => ({ ...tx, from: others })) } }
    }
    await it.world.pay([[{ token: null, to: ours, amount: 9n }]])
    const chain = new EvmChain(definition, { endpoints: [{ url: a.url }] })
    const { transfers } = await chain.transfersIn(await chain.head(), { tokens: [], native: true, isOurs })
    assert.deepEqual(
      transfers.map(each => each.from),
      [it.world.payer],
    )
  })

  test('a reverted transfer does not count because its status is left out', async () => {
    const [a] = it.nodes as [ProxyNode]
    a.intercept = async ({ method, params }, ask) => {
      const result = await ask(method, ...params)
      if (method !== 'eth_getBlockReceipts') return { result }
      return { result: (result as object[]).map(each => ({ ...each, status: undefined, root: '0x' })) }
    }
    await it.world.pay([[{ token: null, to: `0x${'99'.repeat(20)}`, amount: 9n }]], 'reverts')
    const chain = new EvmChain(definition, { endpoints: [{ url: a.url }] })
    const filter = { tokens: [], native: true, isOurs: () => true }
    await assert.rejects(chain.transfersIn(await chain.head(), filter), /without status/)
  })
})
