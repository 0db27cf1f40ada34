import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { defineSandboxChain, ethereum } from '../definitions.ts'
import { suiteWorld } from '../testing/evm-harness.ts'
import { behind, type Intercept, type ProxyNode, startProxy } from '../testing/proxy.ts'
import { encodeQuantity } from './calls.ts'
import { EvmChain } from './chain.ts'
import { headerHash, type JsonObject } from './encoding.ts'

const definition = defineSandboxChain(ethereum, { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] })
const gwei = 1_000_000_000n

/** Makes a node report these fees. */
const reporting =
  (baseFee: bigint, tip: bigint): Intercept =>
  ({ method }) => {
    if (method === 'eth_maxPriorityFeePerGas') return { result: encodeQuantity(tip) }
    if (method !== 'eth_feeHistory') return undefined
    return { result: { baseFeePerGas: [encodeQuantity(baseFee)], reward: [[encodeQuantity(tip)]] } }
  }

/**
 * Makes a node have a head of its own making, which hashes to its hash; it denies that head if it is queried for it by
 * its hash.
 */
const inventedHead = (baseFee: bigint, denies: boolean): Intercept => {
  let invented: JsonObject | null = null
  return async ({ method, params: [which, full] }, ask) => {
    if (method === 'eth_getBlockByNumber' && which !== '0x0') {
      const head = (await ask(method, which, full)) as JsonObject
      const header = { ...head, baseFeePerGas: encodeQuantity(baseFee) }
      invented = { ...header, hash: headerHash(header) }
      return { result: invented }
    }
    if (method !== 'eth_getBlockByHash' || which !== invented?.hash) return undefined
    return { result: denies ? null : invented }
  }
}

suite('fees', () => {
  const it = suiteWorld(3, startProxy)
  const opened = (nodes: readonly ProxyNode[], more: object = {}) => {
    const named: string[] = []
    const chain = new EvmChain(
      { ...definition, ...more },
      {
        endpoints: nodes.map(({ url }) => ({ url })),
        onDiffers: (url, difference) => named.push(`${url} ${difference.join(' ')}`),
      },
    )
    return { chain, named }
  }
  const honest = async () => {
    const { baseFeePerGas } = await it.world.call<{ baseFeePerGas: string }>('eth_getBlockByNumber', 'latest', false)
    return BigInt(baseFeePerGas)
  }

  test('of two nodes that report other tips none is named: nobody knows which of them lies', async () => {
    await it.world.mine(1)
    const base = await honest()
    const two = it.nodes.slice(0, 2)
    for (const [first, second] of [
      [0n, 2n * gwei],
      [2n * gwei, 0n],
      [2n * gwei, 3_000n * gwei],
    ] as const) {
      two[0]!.intercept = reporting(base, first)
      two[1]!.intercept = reporting(base, second)
      const { chain, named } = opened(two)
      await chain.fees()
      assert.deepEqual(named, [])
    }
    two[0]!.intercept = reporting(600n * gwei, gwei)
    two[1]!.intercept = reporting(base, gwei)
    const { chain, named } = opened(two)
    await chain.fees()
    assert.deepEqual([named.length, named[0]!.startsWith(`${two[0]!.url} far_base_fee`)], [1, true], 'the header knows')
  })

  test('one node of three decides no fee, and is named, whatever its place and whatever it reports', async () => {
    await it.world.mine(1)
    const base = await honest()
    for (const [at, liar] of it.nodes.entries())
      for (const [baseFee, tip] of [
        [600n * gwei, 600n * gwei],
        [3_000n * gwei, gwei],
        [base, 3_000n * gwei],
        [0n, 0n],
      ] as const) {
        for (const node of it.nodes) node.intercept = reporting(base, 2n * gwei)
        liar.intercept = reporting(baseFee, tip)
        for (const more of [{}, { roots: false }]) {
          const { chain, named } = opened(it.nodes, more)
          const found = await chain.fees()
          assert.deepEqual(
            [found.baseFee, found.maxPriorityFeePerGas, found.maxFeePerGas],
            [base, 2n * gwei, 2n * base + 2n * gwei],
            `node ${at}`,
          )
          assert.deepEqual(
            named.map(each => each.split(' ')[0]),
            [liar.url],
          )
        }
      }
  })

  test('a head that one node of three made up decides no fee, and stops nothing', async () => {
    await it.world.mine(1)
    const base = await honest()
    for (const [at, liar] of it.nodes.entries())
      for (const baseFee of [1n, 600n * gwei])
        for (const denies of [false, true]) {
          for (const node of it.nodes) node.intercept = reporting(base, 2n * gwei)
          const lie = inventedHead(baseFee, denies)
          const told = reporting(base, 2n * gwei)
          liar.intercept = async (message, ask) => told(message, ask) ?? (await lie(message, ask))
          const found = await opened(it.nodes).chain.fees()
          assert.equal(found.baseFee, base, `node ${at}, ${baseFee}, denies: ${denies}`)
        }
  })

  test('beside a node that is some blocks behind, a made-up head stops no fees', async () => {
    await it.world.mine(6)
    const [liar, late] = it.nodes as [ProxyNode, ProxyNode]
    for (const blocks of [2, 4]) {
      liar.intercept = inventedHead(600n * gwei, true)
      late.intercept = behind(blocks)
      const { baseFee } = await opened(it.nodes).chain.fees()
      assert.ok(baseFee < gwei, `${blocks} blocks behind: ${baseFee}`)
    }
  })

  test('the only node cannot leave the range of the verified base fee', async () => {
    await it.world.mine(1)
    const base = await honest()
    const [only] = it.nodes as [ProxyNode]
    const { chain } = opened([only])
    const tips = { ...definition, tip: { least: 0.5, most: 3 } }
    const limited = opened([only], tips).chain
    only.intercept = reporting(600n * gwei, 600n * gwei)
    const dear = await limited.fees()
    assert.deepEqual(
      [dear.baseFee, dear.maxPriorityFeePerGas],
      [2n * base, 4n * base > 3n * gwei ? 4n * base : 3n * gwei],
    )
    only.intercept = reporting(0n, 0n)
    const cheap = await limited.fees()
    assert.deepEqual([cheap.baseFee, cheap.maxPriorityFeePerGas], [base / 2n, gwei / 2n])
    assert.ok((await chain.fees()).maxPriorityFeePerGas > 0n)
  })

  test('of two nodes the lower tip is offered, and with all nodes failing there is none', async () => {
    await it.world.mine(1)
    const base = await honest()
    const [one, other] = it.nodes as [ProxyNode, ProxyNode]
    one.intercept = reporting(base, 2n * gwei)
    other.intercept = reporting(base, 4n * gwei)
    assert.equal((await opened([one, other]).chain.fees()).maxPriorityFeePerGas, 2n * gwei)
    for (const node of [one, other])
      node.intercept = ({ method }) =>
        method === 'eth_feeHistory' ? { error: { code: -32_601, message: 'no such method' } } : undefined
    await assert.rejects(opened([one, other]).chain.fees(), { message: /no such method/ })
  })
})
