import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChainDefinition } from '@coffer/chains'
import { type Random, seeded } from '@coffer/chains/fake/random.ts'
import { type ParsedBody, paymentMode } from '@coffer/contract'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import type pg from 'pg'
import { syncChains } from '../../domains/chains/sync-chains.ts'
import { testDatabase, testStart } from '../deps.ts'
import { testApplication, testMerchant } from '../merchants.ts'
import { bsc, eth, rowsOf } from '../money.ts'
import { Feeds } from './feeds.ts'
import { Server } from './server.ts'
import { type Deed, SimChain } from './sim-chain.ts'
import { healthy, type NodeWorld, SimNode } from './sim-node.ts'

/** A chain with its three nodes. */
export type Place = { definition: ChainDefinition; chain: SimChain; nodes: SimNode[] }

/** A callback as it came in at the merchant's server. */
export type Came = { id: string; body: string }

/** What was promised when a payment was created: USDT for one unit of each symbol, and its value in USDT. */
export type Promised = { rates: Map<string, number>; usdt: number }

/** What a merchant orders. */
export type OrderBody = ParsedBody<'POST /api/v1/pay/orders'>

const assetOf = (chainId: string, symbol: string) => `${chainId}:${symbol}`

/** Everything one seed lives in. The server's clock is the true time and how much it is wrong. */
export class World implements NodeWorld {
  readonly owner: pg.Pool
  readonly appPool: pg.Pool
  readonly places: Place[]
  readonly feeds = new Feeds()
  readonly came: Came[] = []
  readonly promised = new Map<string, Promised>()
  readonly seen = new Set<string>()
  /** Chains that left final blocks since they were last let go on. */
  readonly deep = new Set<string>()
  merchantId = ''
  appids: string[] = []
  notifyUrl = ''
  server: Server
  dice: Random
  time = testStart
  skew = 0
  orders = 0
  lastOrder: OrderBody | null = null
  answersWith: 'ok' | 'error' | 'cut' = 'ok'
  #ms = 0

  constructor(seed: number, pools: { pool: pg.Pool; owner: pg.Pool }) {
    this.owner = pools.owner
    this.appPool = pools.pool
    this.dice = seeded(seed)
    // Kept like chains of production: there a chain must be read up to the end of a payment before it times out.
    this.places = [eth, bsc].map((local, index) => {
      const chain = new SimChain(seeded(seed * 7 + index), this.time)
      const definition: ChainDefinition = { ...local, net: 'mainnet' }
      return { definition, chain, nodes: [0, 1, 2].map(() => new SimNode(this, chain)) }
    })
    this.server = this.start()
  }

  readonly clock = () => this.time + this.skew

  passMs = (ms: number) => {
    this.#ms += ms
  }

  /** A new process of the server. */
  start(): Server {
    return new Server({
      pool: this.appPool,
      definitions: this.places.map(each => each.definition),
      endpoints: id => [0, 1, 2].map(place => ({ url: `http://${id}-${place}.simulated/` })),
      clock: this.clock,
      ms: () => this.#ms,
      passMs: this.passMs,
    })
  }

  place(chainId: string): Place {
    return this.places.find(each => each.definition.id === chainId)!
  }

  /** All nodes are well, and what was held against them is forgotten. */
  heal(): void {
    for (const { nodes } of this.places) for (const node of nodes) node.faults = { ...healthy }
    this.passMs(61_000)
  }

  /** A block on a chain, at the time it is there or a little later. */
  mine({ chain, definition }: Place, deeds: readonly Deed[] = [], all = false): void {
    this.time = Math.max(this.time, chain.head.time) + Math.max(1, definition.blockTime)
    chain.mine(this.time, deeds, all)
  }

  /** The asset's id, symbol, contract and decimals, for each asset of a chain. */
  assets({ definition: { id, tokens, native } }: Place) {
    return [...tokens, { ...native, contract: null }].map(each => ({ ...each, id: assetOf(id, each.symbol) }))
  }

  payments() {
    return rowsOf(this.owner, 'select * from payments order by length(out_trade_no), out_trade_no')
  }

  async ourAddresses(): Promise<Set<string>> {
    const rows = await rowsOf(this.owner, 'select address from deposit_addresses')
    return new Set(rows.map(row => row.address))
  }

  /** The node that a request goes to. */
  nodeAt(host: string): SimNode | undefined {
    const [, id, place] = /^(.+)-(\d)\.simulated$/.exec(host) ?? []
    return id ? this.place(id).nodes[Number(place)] : undefined
  }
}

/** Makes the world of a seed, with its database, a merchant with three applications, and their server. */
export async function makeWorld(scope: Scope, seed: number): Promise<World> {
  const world = new World(seed, await testDatabase(scope))
  listen(scope, world)
  world.notifyUrl = await receive(scope, world)
  const { deps } = world.server
  await syncChains(deps)
  const merchant = await testMerchant(deps)
  world.merchantId = merchant.id
  const kinds = [
    { name: 'mixed', mixed_payment: true },
    { name: 'strict', mixed_payment: false, tolerance_permille: 50 },
    { name: 'fixed', mixed_payment: false, payment_mode: paymentMode.address },
  ]
  for (const kind of kinds) {
    const { appid } = await testApplication(deps, merchant.id, { ...kind, notify_url: world.notifyUrl })
    world.appids.push(appid)
  }
  for (const { definition } of world.places) await world.server.follow(definition.id)
  return world
}

/** Requests to the nodes of the world stay in memory; all others go where they did. */
function listen(scope: Scope, world: World): void {
  const real = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const node = world.nodeAt(new URL(String(input)).hostname)
    return node ? node.answer(String(init?.body)) : real(input, init)
  }
  scope.after(() => {
    globalThis.fetch = real
  })
}

/** The merchant's server: writes down what comes, and answers as the world says. */
async function receive(scope: Scope, world: World): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    world.came.push({ id: String(request.headers['webhook-id']), body })
    if (world.answersWith === 'cut') return response.destroy()
    return response.writeHead(world.answersWith === 'ok' ? 204 : 500).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  scope.after(() => {
    server.closeAllConnections()
    return new Promise<void>(resolve => void server.close(() => resolve()))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`
}
