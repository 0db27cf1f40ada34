import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { defineSandboxChain, ethereum } from '../definitions.ts'
import { CallRefused, ChainUnavailable } from '../errors.ts'
import { parseHexBytes, toHex } from '../hex.ts'
import { suiteWorld } from '../testing/evm-harness.ts'
import { type Intercept, type ProxyNode, startProxy } from '../testing/proxy.ts'
import { EvmChain } from './chain.ts'
import { computeKeccakHex, headerHash, type JsonObject } from './encoding.ts'
import { encodeRlp } from './rlp.ts'

const [ours, poor] = ['beef', 'dead'].map(end => `0x${end.padStart(40, '0')}`) as [string, string]
const addresses = [ours, poor]
const balance = /^eth_(getBalance|call)$/

/** Root of the empty trie: that of an account without storage. */
const emptyRoot = computeKeccakHex(encodeRlp(new Uint8Array()))
/** Slot of the balances of the test token. */
const balanceSlot = 7

suite('proven balances', () => {
  const it = suiteWorld(3, startProxy, async world => {
    await world.pay([[{ token: world.token, to: ours, amount: 5n }], [{ token: null, to: ours, amount: 6n }]])
  })
  const chainOf = (slot: number | null = balanceSlot, nodes: readonly ProxyNode[] = it.nodes) => {
    const token = { symbol: 'USDT', contract: it.world.token, decimals: 6, ...(slot !== null && { balanceSlot: slot }) }
    const definition = defineSandboxChain(ethereum, {
      chainId: 31_337,
      confirmations: 4,
      blockTime: 1,
      tokens: [token],
    })
    return new EvmChain(definition, { endpoints: nodes.map(({ url }) => ({ url })), timeoutMs: 2_000 })
  }
  const liars = () => it.nodes.slice(0, 2)
  const refuses = { error: { code: -32_000, message: 'missing trie node' } }
  /** Reports another balance, current, past or proven. */
  const inventing: Intercept = async ({ method, params }, ask) => {
    if (balance.test(method)) return { result: `0x${'63'.padStart(64, '0')}` }
    if (method !== 'eth_getProof') return undefined
    const proof = (await ask(method, ...params)) as JsonObject
    return {
      result: {
        ...proof,
        balance: '0x63',
        storageProof: (proof.storageProof as JsonObject[]).map(one => ({ ...one, value: '0x63' })),
      },
    }
  }
  const certain = async (token: string | null, chain = chainOf()) => {
    const block = await chain.head()
    return chain.certainBalances(token, addresses, block)
  }

  test('two lying nodes of three neither invent nor hide coin or tokens, wherever the honest one stands', async () => {
    for (const honest of [0, 1, 2]) {
      for (const node of it.nodes) node.reset()
      for (const [i, node] of it.nodes.entries()) if (i !== honest) node.intercept = inventing
      assert.deepEqual(await certain(null), [6n, 0n])
      assert.deepEqual(await certain(it.world.token), [5n, 0n])
    }
  })

  test('a proof against a block that one node made up proves nothing, while the others do not answer', async () => {
    const account = encodeRlp([0, 0x63, parseHexBytes(emptyRoot), parseHexBytes(computeKeccakHex(new Uint8Array()))])
    // A trie of one account: a leaf with the whole key.
    const path = Buffer.concat([Buffer.from([0x20]), parseHexBytes(computeKeccakHex(parseHexBytes(poor)))])
    const leaf = encodeRlp([path, account])
    const [liar, ...honest] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    for (const node of honest) node.intercept = () => ({ error: { code: -32_603, message: 'overloaded' } })
    liar.intercept = async ({ method, params: [which, full] }, ask) => {
      if (balance.test(method)) return { result: '0x63' }
      if (method === 'eth_getProof') return { result: { accountProof: [toHex(leaf)], storageProof: [] } }
      if (!method.startsWith('eth_getBlockBy') || which === '0x0') return undefined
      const head = (await ask('eth_getBlockByNumber', 'latest', full)) as JsonObject
      const header = { ...head, stateRoot: computeKeccakHex(leaf) }
      return { result: { ...header, hash: headerHash(header) } }
    }
    const chain = chainOf()
    await assert.rejects(chain.certainBalances(null, [poor]), ChainUnavailable)
    await assert.rejects(chain.recentBalances([poor]), ChainUnavailable)
  })

  test('one node with proofs is enough where the others refuse past state', async () => {
    const [first, second] = it.nodes as [ProxyNode, ProxyNode]
    const pruned: Intercept = ({ method }) => (balance.test(method) || method === 'eth_getProof' ? refuses : undefined)
    for (const node of [first, second]) node.intercept = pruned
    assert.deepEqual(await certain(null), [6n, 0n])
    assert.deepEqual(await certain(it.world.token), [5n, 0n])
    // The node that has the state lies: nothing is certain.
    it.nodes[2]!.intercept = inventing
    first.intercept = pruned
    const lies = await certain(null)
    assert.deepEqual(lies, [6n, 0n], 'its proof holds, whatever it says')
    it.nodes[2]!.intercept = ({ method }) =>
      balance.test(method) ? { result: `0x${'63'.padStart(64, '0')}` } : method === 'eth_getProof' ? refuses : undefined
    await assert.rejects(certain(null), CallRefused)
  })

  test('a proof that does not hold is none', async () => {
    const other = async (ask: (method: string, ...params: unknown[]) => Promise<unknown>, at: unknown) =>
      (await ask('eth_getProof', it.world.payer, [], at)) as JsonObject
    const breaks: Record<string, (proof: JsonObject, another: JsonObject) => JsonObject> = {
      'of another account': (_, another) => another,
      'of another root': (proof, another) => ({ ...proof, accountProof: (another.accountProof as string[]).slice(1) }),
      cut: proof => ({ ...proof, accountProof: (proof.accountProof as string[]).slice(0, -1) }),
      empty: proof => ({ ...proof, accountProof: [] }),
      'not a list': proof => ({ ...proof, accountProof: '0x' }),
    }
    for (const [what, broken] of Object.entries(breaks)) {
      for (const node of it.nodes) node.reset()
      for (const node of liars())
        node.intercept = async ({ method, params }, ask) => {
          if (balance.test(method)) return { result: `0x${'63'.padStart(64, '0')}` }
          if (method !== 'eth_getProof') return undefined
          return { result: broken((await ask(method, ...params)) as JsonObject, await other(ask, params[2])) }
        }
      assert.deepEqual(await certain(null), [6n, 0n], what)
    }
  })

  test('at a block that no node has, nothing is proven and nothing certain', async () => {
    const chain = chainOf()
    const { number } = await chain.head()
    for (const [i, node] of it.nodes.entries())
      node.intercept = ({ method }) => (balance.test(method) ? { result: `0x${`${i}`.padStart(64, '0')}` } : undefined)
    const gone = { number, hash: `0x${'ab'.repeat(32)}` }
    assert.deepEqual(await chain.certainBalances(null, addresses, gone), [null, null])
    assert.deepEqual(await chain.certainBalances(it.world.token, addresses, gone), [null, null])
  })

  test('without proofs or a known slot two of three must agree', async () => {
    const [first, second, third] = it.nodes as [ProxyNode, ProxyNode, ProxyNode]
    for (const slot of [null, 3]) {
      for (const node of it.nodes) node.reset()
      first.intercept = inventing
      assert.deepEqual(await certain(it.world.token, chainOf(slot)), [5n, 0n])
      second.intercept = ({ method }) => (balance.test(method) ? { result: `0x${'64'.padStart(64, '0')}` } : undefined)
      assert.deepEqual(await certain(it.world.token, chainOf(slot)), [null, slot === null ? null : 0n])
    }
    for (const node of it.nodes) node.reset()
    first.intercept = message => (message.method === 'eth_getProof' ? refuses : inventing(message, async () => null))
    for (const node of [second, third])
      node.intercept = ({ method }) => (method === 'eth_getProof' ? refuses : undefined)
    assert.deepEqual(await certain(null), [6n, 0n])
  })
})
