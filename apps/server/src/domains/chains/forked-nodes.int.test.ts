import assert from 'node:assert/strict'
import { before, suite, type TestContext, test } from 'node:test'
import { type ChainDefinition, type ChainView, defineSandboxChain, ethereum, tron } from '@coffer/chains'
import { makeWorld, type World } from '@coffer/chains/testing/evm-harness.ts'
import { behind, forkedAbove, type ProxyNode, startProxy } from '@coffer/chains/testing/proxy.ts'
import { startTronFacade, type TronFacade } from '@coffer/chains/tron/facade.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { suiteScope } from '@coffer/local/testing/scope.ts'
import { openChain } from '../../outside/open-chain.ts'
import { type TestDeps, withDeps } from '../../testing/deps.ts'
import { rowsOf } from '../../testing/money.ts'
import { syncChains } from './sync-chains.ts'
import { watchChains } from './watch-chains.ts'

const settings = { chainId: 31_337, confirmations: 4, blockTime: 1, tokens: [] }
const definitions = { evm: defineSandboxChain(ethereum, settings), tron: defineSandboxChain(tron, settings) }
const minute = 60_000

suite('nodes that have other blocks than most', () => {
  const it = {} as { deps: TestDeps; world: World; proxies: ProxyNode[]; facades: TronFacade[] }
  const scope = suiteScope()
  before(async () => {
    const chains = new Map<string, ChainView>()
    it.deps = await withDeps(scope, { clock: () => Math.floor(Date.now() / 1_000), chains })
    it.world = await makeWorld((await withAnvil(scope)).url)
    it.proxies = await Promise.all([0, 1, 2].map(() => startProxy(it.world.url)))
    it.facades = await Promise.all([0, 1, 2].map(() => startTronFacade(it.world.url)))
    for (const node of [...it.proxies, ...it.facades]) scope.after(node.stop)
    await it.world.mine(20)
    const open = (definition: ChainDefinition, nodes: Parameters<typeof openChain>[0]['nodes']) =>
      chains.set(definition.id, openChain({ definition, nodes }, it.deps.log, { now: () => Date.now() }))
    open(
      definitions.evm,
      it.proxies.map(({ url }) => ({ url })),
    )
    open(
      definitions.tron,
      it.facades.map(({ url, http }) => ({ url, urls: { http } })),
    )
    await syncChains(it.deps)
  })

  /** Makes the third node of a kind have other blocks than the others above a height. */
  const fork = {
    evm: (height: number) => {
      it.proxies[2]!.intercept = forkedAbove(height)
    },
    tron: (height: number) => {
      it.facades[2]!.alter = (what, answer) => {
        const block = answer as { number: string; hash: string } | null
        if (what !== 'eth_getBlockByNumber' || !block || Number(block.number) <= height) return answer
        const id = Number(block.number).toString(16).padStart(16, '0') + block.hash.slice(18)
        return { ...block, hash: `0x${id}` }
      }
    },
  }
  /** What tests have waited for: time goes on from test to test. */
  let waited = 0
  const urls = { evm: () => it.proxies, tron: () => it.facades }

  /** Looks at nodes and incidents each minute, and returns the incidents of the last look. */
  async function pass(t: TestContext, kind: 'evm' | 'tron', minutes: number) {
    for (let i = 0; i < minutes; i++) {
      t.mock.timers.tick(minute)
      waited += minute
      await it.deps.chains.get(definitions[kind].id)!.compareNodes!()
      await watchChains(it.deps, new Map())
    }
    const open = `select kind, chain_id, detail from incidents where resolved_at is null and kind like 'node%'`
    return rowsOf(it.deps.pool, open)
  }

  /** Goes on from where the last test left the clock, and lets nodes agree: what it left of them is forgotten. */
  async function begin(t: TestContext) {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + waited })
    for (const kind of ['evm', 'tron'] as const) await pass(t, kind, 2)
  }

  for (const kind of ['evm', 'tron'] as const)
    test(`${kind}: one that has them for ten minutes is an incident that names it and ends with its cause`, async t => {
      await begin(t)
      const height = Number(await it.world.call('eth_blockNumber'))
      fork[kind](height - 10)
      assert.deepEqual(await pass(t, kind, 10), [], 'not for ten minutes yet')
      it[kind === 'evm' ? 'proxies' : 'facades'][2]!.reset()
      assert.deepEqual(await pass(t, kind, 1), [])
      fork[kind](height - 10)
      assert.deepEqual(await pass(t, kind, 10), [], 'it had the same block meanwhile')
      const { host } = new URL(urls[kind]()[2]!.url)
      const reason = `other_block | ${height - 4}`
      const incident = { kind: 'node_forked', chain_id: definitions[kind].id, detail: { node: host, reason } }
      assert.deepEqual(await pass(t, kind, 3), [incident])
      urls[kind]()[2]!.reset()
      assert.deepEqual(await pass(t, kind, 2), [])
    })

  test('one that lags is none, and of two that differ nobody knows which is wrong', async t => {
    await begin(t)
    const height = Number(await it.world.call('eth_blockNumber'))
    it.proxies[2]!.intercept = behind(12)
    assert.deepEqual(await pass(t, 'evm', 12), [])
    it.proxies[1]!.intercept = forkedAbove(height - 20)
    it.proxies[2]!.intercept = () => ({ error: { code: -32_603, message: 'down' } })
    assert.deepEqual(await pass(t, 'evm', 12), [])
    for (const proxy of it.proxies) proxy.reset()
  })

  test('one whose own branch grows slower than the chain is compared at the height that it has', async t => {
    await begin(t)
    const height = Number(await it.world.call('eth_blockNumber'))
    const forked = forkedAbove(height - 18)
    const lagging = behind(8)
    it.proxies[2]!.intercept = async (message, ask) =>
      (await lagging(message, async (method, ...params) =>
        method === 'eth_getBlockByNumber'
          ? ((await forked({ ...message, method, params }, ask)) as { result: unknown }).result
          : ask(method, ...params),
      )) ?? forked(message, ask)
    const [incident] = await pass(t, 'evm', 13)
    assert.equal(incident?.detail.reason, `other_block | ${height - 12}`)
    it.proxies[2]!.reset()
  })
})
