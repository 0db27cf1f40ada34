import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChainDefinition, ethereum, sandboxOf } from '@coffer/chains'
import { makeWorld } from '@coffer/chains/testing/evm-harness.ts'
import { startProxy } from '@coffer/chains/testing/proxy.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { until } from '@coffer/local/testing/until.ts'
import { readConfig } from '../config.ts'
import { makeDeps } from '../make-deps.ts'
import { serve } from '../serve.ts'
import { Keys } from '../signer/keys.ts'
import { makeTestDeps, testDatabase } from './deps.ts'
import { testApplication, testMerchant } from './merchants.ts'
import { firstRow, fixedPrices } from './money.ts'

/** Confirmations of deposits. */
export const confirmations = 4

/** A shop whose server, not started yet, reads a local chain, defined with `more`, through three proxies, in this order. */
export async function proxiedServer(scope: Scope, more: Partial<ChainDefinition> = {}) {
  const world = await makeWorld((await withAnvil(scope)).url)
  const proxies = await Promise.all([1, 2, 3].map(() => startProxy(world.url)))
  const { url: databaseUrl, pool, owner } = await testDatabase(scope)
  const folder = await mkdtemp(join(tmpdir(), 'coffer-nodes-'))
  const running = new Set<() => Promise<void>>()
  scope.after(async () => {
    await Promise.all([...running].map(stop => stop()))
    await Promise.all(proxies.map(proxy => proxy.stop()))
    await rm(folder, { recursive: true })
  })
  const shop = makeTestDeps({ pool })
  const { key } = await testApplication(shop, (await testMerchant(shop)).id)
  let url = ''
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${url}/api/v1/pay/orders${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
    return ((await response.json()) as { data: Record<string, unknown> }).data
  }
  const isRead = async () => {
    const row = await firstRow(owner, 'select last_number from chains')
    return row?.last_number === Number(await world.call('eth_blockNumber'))
  }
  return {
    world,
    proxies,
    owner,
    /** Starts the server, and waits until it has read the chain. Returns a function that stops it. */
    start: async () => {
      const env = { DATABASE_URL: databaseUrl, COFFER_DATA: folder, COFFER_LOG: 'silent' }
      const tokens = [{ symbol: 'USDT', contract: world.token, decimals: 6 }]
      const definition = { ...sandboxOf(ethereum, { chainId: 31_337, confirmations, blockTime: 1, tokens }), ...more }
      const outside = {
        mail: { send: async () => {}, check: async () => {} },
        text: { send: async () => {} },
        signIn: null,
        priceSources: [],
        chains: [{ definition, nodes: proxies.map(proxy => ({ url: proxy.url })) }],
        xpubs: { evm: new Keys(Buffer.alloc(64, 7)).xpub('evm') },
      }
      const deps = makeDeps({ ...readConfig(env), port: 0 }, outside)
      const prices = fixedPrices({ USDT: '1', ETH: '2500' }, deps.clock)
      const { app, stop } = await serve({ ...deps, prices }, outside)
      const end = async () => {
        running.delete(end)
        await stop()
        await deps.prices.stop()
      }
      running.add(end)
      url = app.listeningOrigin
      for (const proxy of proxies) proxy.requested.length = 0
      await until(
        'the server has read the chain from every node',
        async () => (await isRead()) && proxies.every(proxy => proxy.requested.length > 0),
      )
      return end
    },
    /** Creates an order of 10 USDT, payable in a token. Its address is in the stored form. */
    order: async (name: string, token: 'USDT' | 'ETH') => {
      const made = await call('', { out_trade_no: name, amount: '10', currency: 'USDT', chain: 'eth', token })
      return { tradeNo: String(made.trade_no), address: String(made.address).toLowerCase() }
    },
    statusOf: async (tradeNo: string) => (await call(`/${tradeNo}`)).status,
  }
}
