import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChainDefinition, defineSandboxChain, ethereum } from '@coffer/chains'
import { makeWorld } from '@coffer/chains/testing/evm-harness.ts'
import { nearby } from '@coffer/chains/testing/near.ts'
import { startProxy } from '@coffer/chains/testing/proxy.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { until } from '@coffer/local/testing/until.ts'
import { readConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { makeDeps } from '../make-deps.ts'
import { openChain } from '../outside/open-chain.ts'
import type { WatchedChain } from '../outside/world.ts'
import { startCofferServer } from '../serve.ts'
import { Keys } from '../signer/keys.ts'
import { makeTestDeps, testDatabase } from './deps.ts'
import { testApplication, testMerchant } from './merchants.ts'
import { firstRow, fixedPrices } from './money.ts'

/** Confirmations of deposits. */
export const confirmations = 4

/** How long the server waits for an answer of a node (ms): less than usual, as some hang. */
const timeoutMs = 3_000
/** Longer than any penalty of a node (ms). */
const longMs = 120_000

/** Starts a server over a chain, which it reads by the clock `now` (ms). Returns what stops it, and what it has. */
async function startServer(
  chain: WatchedChain,
  { databaseUrl, folder, now }: { databaseUrl: string; folder: string; now: () => number },
) {
  const env = { DATABASE_URL: databaseUrl, COFFER_DATA: folder, COFFER_LOG: 'silent' }
  const outside = {
    mail: { send: async () => {}, check: async () => {} },
    text: { send: async () => {} },
    signIn: null,
    priceSources: [],
    chains: [chain],
    xpubs: { evm: new Keys(Buffer.alloc(64, 7)).xpub('evm') },
  }
  const made = makeDeps({ ...readConfig(env), port: 0 }, outside)
  const view = openChain(chain, made.log, { timeoutMs, now })
  const deps: Deps = { ...made, chains: new Map([[chain.definition.id, view]]) }
  const prices = fixedPrices({ USDT: '1', ETH: '2500', LIE: '1' }, made.clock)
  const { app, stop } = await startCofferServer({ ...deps, prices }, outside)
  const stopAll = async () => {
    await stop()
    await made.prices.stop()
  }
  return { chain: view, deps, url: app.listeningOrigin, stop: stopAll }
}

/** Calls the orders of the merchant API with a key. Throws for answers that are not 200. */
async function callOrders(url: string, key: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: Record<string, unknown> }).data
}

/**
 * A shop whose server, not started yet, reads a local chain, defined with `more`, through three proxies, in this order.
 */
export async function proxiedServer(scope: Scope, more: Partial<ChainDefinition> = {}) {
  const world = await makeWorld((await withAnvil(scope)).url)
  const proxies = await Promise.all([1, 2, 3].map(async () => nearby(await startProxy(world.url))))
  const { url: databaseUrl, pool, owner } = await testDatabase(scope)
  const folder = await mkdtemp(join(tmpdir(), 'coffer-nodes-'))
  const running = new Set<() => Promise<void>>()
  let passedMs = 0
  let last: Awaited<ReturnType<typeof startServer>>
  const tokens = [{ symbol: 'USDT', contract: world.token, decimals: 6 }]
  scope.after(async () => {
    await Promise.all([...running].map(stop => stop()))
    await Promise.all(proxies.map(proxy => proxy.stop()))
    await rm(folder, { recursive: true })
  })
  const shop = makeTestDeps({ pool })
  const { key } = await testApplication(shop, (await testMerchant(shop)).id)
  const call = (path: string, body?: object) => callOrders(`${last.url}/api/v1/pay/orders${path}`, key, body)
  const isRead = async () => {
    const row = await firstRow(owner, 'select last_number from chains')
    return row?.last_number === Number(await world.call('eth_blockNumber'))
  }
  return {
    world,
    proxies,
    owner,
    /** Tokens that the server accepts once it starts. */
    tokens,
    /** The chain, and dependencies, of the server that started last. */
    chain: () => last.chain,
    deps: () => last.deps,
    /** Starts the server, and waits until it has read the chain. Returns a function that stops it. */
    start: async () => {
      const definition = {
        ...defineSandboxChain(ethereum, { chainId: 31_337, confirmations, blockTime: 1, tokens }),
        ...more,
      }
      const chain = { definition, nodes: proxies.map(proxy => ({ url: proxy.url })) }
      const started = await startServer(chain, { databaseUrl, folder, now: () => performance.now() + passedMs })
      last = started
      const end = async () => {
        running.delete(end)
        await started.stop()
      }
      running.add(end)
      for (const proxy of proxies) proxy.requested.length = 0
      await until(
        'the server has read the chain from every node',
        async () => (await isRead()) && proxies.every(proxy => proxy.requested.length > 0),
      )
      return end
    },
    /** Creates an order of 10 USDT, payable in a token. Its address is in the stored form. */
    order: async (name: string, token: 'USDT' | 'ETH' | 'LIE') => {
      const made = await call('', { out_trade_no: name, amount: '10', currency: 'USDT', chain: 'eth', token })
      return { tradeNo: String(made.trade_no), address: String(made.address).toLowerCase() }
    },
    /** Removes the faults of all nodes, lets their penalties end, and waits until each is called again. */
    heal: async () => {
      for (const proxy of proxies) {
        proxy.reset()
        proxy.requested.length = 0
      }
      passedMs += longMs
      await until('every node is called', () => proxies.every(proxy => proxy.requested.length > 0))
    },
    statusOf: async (tradeNo: string) => (await call(`/${tradeNo}`)).status,
  }
}
