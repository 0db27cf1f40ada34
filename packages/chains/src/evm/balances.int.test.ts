import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { defineSandboxChain, ethereum } from '../definitions.ts'
import { CallRefused } from '../errors.ts'
import { suiteWorld } from '../testing/evm-harness.ts'
import { startProxy } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'
import { Aggregator } from './generated/contracts.ts'

const local = { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] }
const addresses = Array.from({ length: 1_000 }, (_, i) => `0x${(i + 0xc0ffee).toString(16).padStart(40, '0')}`)
const funded = addresses[7]!
const last = addresses[999]!

suite('balances of many addresses', () => {
  let multicall: string
  const it = suiteWorld(1, startProxy, async world => {
    const txid = await world.submit(null, Aggregator.bytecode)
    for (const token of [world.token, null])
      await world.pay([[{ token, to: funded, amount: 5n }], [{ token, to: last, amount: 3n }]])
    multicall = (await world.call<{ contractAddress: string }>('eth_getTransactionReceipt', txid)).contractAddress
  })
  const chainOf = (at?: string) =>
    new EvmChain(defineSandboxChain(ethereum, { ...local, ...(at && { multicall: at }) }), {
      endpoints: [{ url: it.nodes[0]!.url }],
    })
  const counted = async <T>(work: () => Promise<T>) => {
    it.nodes[0]!.requested.length = 0
    const result = await work()
    return {
      result,
      calls: it.nodes[0]!.requested.filter(each => each === 'eth_call' || each === 'eth_getBalance').length,
    }
  }
  const expected = (at: bigint) => addresses.map(each => (each === funded ? at : each === last ? 3n : 0n))

  test('one call reads 400 balances, at the requested block', async () => {
    const chain = chainOf(multicall)
    const block = await chain.head()
    for (const token of [it.world.token, null]) await it.world.pay([[{ token, to: funded, amount: 1n }]])
    for (const token of [it.world.token, null]) {
      const then = await counted(() => chain.certainBalances(token, addresses, block))
      assert.deepEqual(then.result, expected(5n))
      assert.equal(then.calls, 3)
      // A million addresses at 25 calls a second take at most 30 minutes.
      assert.ok((1_000_000 / addresses.length) * then.calls <= 25 * 60 * 30)
      assert.deepEqual(await chain.certainBalances(token, addresses), expected(6n))
      assert.equal(await chain.balanceOf(token, funded), 6n)
    }
    assert.deepEqual(await chain.certainBalances(null, []), [])
  })

  test('balances are read in batches of JSON-RPC where the aggregator is unknown, not deployed yet or refused', async () => {
    const block = await chainOf().head()
    const early = (await chainOf().blockAt(1))!
    const all = await chainOf(multicall).certainBalances(it.world.token, addresses, block)
    for (const at of [undefined, ethereum.multicall]) {
      const { result, calls } = await counted(() => chainOf(at).certainBalances(it.world.token, addresses, block))
      assert.deepEqual(result, all)
      assert.equal(calls, at ? 1_003 : 1_000)
    }
    assert.deepEqual(
      await chainOf(multicall).certainBalances(null, addresses, early),
      addresses.map(() => 0n),
    )
    it.nodes[0]!.intercept = ({ method, params }) =>
      method === 'eth_call' && (params[0] as { to: string }).to === multicall
        ? { error: { code: -32000, message: 'out of gas' } }
        : undefined
    assert.deepEqual(await chainOf(multicall).certainBalances(it.world.token, addresses, block), all)
  })

  test('a node without the state of the block refuses, as for one address', async () => {
    const block = await chainOf().head()
    it.nodes[0]!.intercept = ({ method }) =>
      method === 'eth_call' || method === 'eth_getBalance'
        ? { error: { code: -32000, message: 'missing trie node' } }
        : undefined
    for (const token of [it.world.token, null])
      await assert.rejects(chainOf(multicall).certainBalances(token, addresses, block), CallRefused)
  })
})
