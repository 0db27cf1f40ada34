import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ChainDefinition, type ChainKind, defineSandboxChain, tron } from '@coffer/chains'
import { createSeededRandom, type Random } from '@coffer/chains/fake/random.ts'
import { nodeTransport } from '@coffer/chains/nodes/transport.ts'
import { parseTronAddress } from '@coffer/chains/tron/address.ts'
import { type ParsedBody, parseDecimal, paymentMode } from '@coffer/contract'
import { availableAccount, groupPostings, houseAccount, makePosting } from '@coffer/core'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import type pg from 'pg'
import { syncChains } from '../../domains/chains/sync-chains.ts'
import { postEntries } from '../../domains/ledger/store.ts'
import { ensureTreasury } from '../../domains/outgoing/wallets.ts'
import { type DelegatingChain, importAuthorizations } from '../../domains/sweeps/authorizations.ts'
import { testDatabase, testStart } from '../deps.ts'
import { testApplication, testMerchant } from '../merchants.ts'
import { bsc, eth, rowsOf } from '../money.ts'
import { Feeds } from './feeds.ts'
import { sameRandom } from './same-random.ts'
import { Server } from './server.ts'
import { siblings } from './siblings.ts'
import { SimChain } from './sim-chain.ts'
import { healthy, type NodeWorld, SimNode } from './sim-node.ts'
import { authorizations, type Floats, hotWallets, SimSigner, treasury, xpub } from './sim-signer.ts'
import { type Deed, nobody, payer } from './sim-tx.ts'
import { Turns } from './turns.ts'

/** Largest difference (s) of a server's clock. */
export const skewMax = 600

/** A simulated chain and its three nodes. Its definition changes when the operator lists a sibling of a token. */
export type Place = { definition: ChainDefinition; chain: SimChain; nodes: SimNode[] }

/** A callback received by the merchant's server. */
export type Came = { id: string; body: string }

/** Exchange rates (USDT per unit, by symbol) and value in USDT at the creation of a payment. */
export type Promised = { rates: Map<string, number>; usdt: number }

/** Request body of an order. */
export type OrderBody = ParsedBody<'POST /api/v1/pay/orders'>

const assetOf = (chainId: string, symbol: string) => `${chainId}:${symbol}`

/** USDT with 6 decimals, credited after 5 blocks. */
const trx = defineSandboxChain(tron, { chainId: 31339, confirmations: 5, blockTime: 3, tokens: tron.tokens })

/** Least deposits on one of the chains. */
const minimums = { USDT: '0.02', USDC: '0.02', ETH: '0.00001', BNB: '0.00005', TRX: '0.05' }

/** State of one seed. The server's clock is `time` plus `skew`. */
export class World implements NodeWorld {
  readonly turns: Turns
  readonly owner: pg.Pool
  readonly appPool: pg.Pool
  readonly places: Place[]
  readonly feeds = new Feeds()
  readonly came: Came[] = []
  readonly promised = new Map<string, Promised>()
  readonly seen = new Set<string>()
  /** Chains with a reorg of final blocks since they were last resumed. */
  readonly deep = new Set<string>()
  /** Whether a chain had a reorg of final blocks in this seed. */
  everDeep = false
  merchantId = ''
  appids: string[] = []
  notifyUrl = ''
  server: Server
  readonly signer: SimSigner
  readonly floats: Floats
  /** Whether the signer has no key of a deposit address. */
  readonly isVault: boolean
  /** How sweeps on TRON get their energy. */
  readonly tronEnergy: string
  /** Who works for the merchant, in seeds of several people: two owners, and one for the finances. */
  people: string[] = []
  /** A second merchant, which transfers are sent to and from. */
  otherId = ''
  /** By chain: the first block that two of three nodes misreported where they alone decide. It is to be read again. */
  readonly hidden = new Map<string, number>()
  /** Orders of energy that its provider filled. */
  readonly energyOrders = new Set<string>()
  /** Number of addresses outside that were paid to, and of those that sent a sibling of a token. */
  payees = 0
  senders = 0
  /** What operators decided of deposits of siblings, each by its id, and chains on which one was ever listed. */
  readonly decisions: { id: string; how: 'credit' | 'return'; isDone: boolean }[] = []
  readonly listed = new Set<string>()
  /**
   * What merchants have beside their deposits, by asset: from the beginning, and for deposits that were lost after they
   * were paid out.
   */
  readonly lent = new Map<string, bigint>()
  dice: Random
  time = testStart
  skew = 0
  orders = 0
  lastOrder: OrderBody | null = null
  answersWith: 'ok' | 'error' | 'cut' = 'ok'
  #ms = 0
  /** Statements, requests to nodes and their answers, in order. */
  readonly log = createHash('sha256')

  constructor(scope: Scope, seed: number, pools: { pool: pg.Pool; owner: pg.Pool }) {
    this.turns = new Turns(pools.owner, createSeededRandom(seed * 31 + 1), pools.pool.options.max)
    this.owner = pools.owner
    this.appPool = pools.pool
    this.dice = createSeededRandom(seed)
    // In one seed of three, one chain is TRON; in another, the roots of one cannot be computed.
    const locals = [eth, seed % 3 === 2 ? trx : bsc].map(each => ({ ...each, siblings: [siblings[each.id]!] }))
    this.tronEnergy = ['staked', 'burn', energyProvider][Math.floor(seed / 3) % 3]!
    this.isVault = seed % 5 === 0 && seed % 3 !== 2
    this.floats = drawFloats(locals, createSeededRandom(seed * 13 + 5))
    this.places = locals.map((local, index) => {
      const { id, chainId, kind } = local
      const hot = hotWallets[kind]
      const wallets = this.floats.has(id) ? [hot, treasury] : [hot]
      const begins = { time: this.time, given: givenTo(local, wallets), depositsGoTo: wallets.at(-1)! }
      const chain = new SimChain(chainId, kind, createSeededRandom(seed * 7 + index), begins)
      // Mainnet rules require a chain to be read past a payment's expiry before the payment times out.
      const definition: ChainDefinition = {
        ...local,
        net: 'mainnet',
        roots: kind === 'evm' && seed % 6 !== index * 3,
        // One of the chains sweeps many addresses at once, both where no other sweep can be signed.
        delegates: kind === 'evm' && (this.isVault || (seed + index) % 2 === 0),
        ...((seed >> 1) % 2 === index && { minimum: minimums }),
      }
      return { definition, chain, nodes: [0, 1, 2].map(() => new SimNode(this, chain)) }
    })
    this.signer = new SimSigner(
      scope,
      this.places.map(each => each.definition),
      { floats: this.floats, isVault: this.isVault },
      // The dice change with each step.
      { dice: fromNow(() => this.dice), clock: this.clock, moved: () => this.turns.moved() },
    )
    this.server = this.start()
  }

  readonly clock = () => this.time + this.skew

  /** Publishes the current prices, which the server then reads anew. */
  publishPrices = async () => {
    await this.feeds.publish(this.owner, this.clock())
    await this.server.deps.prices.refresh()
  }

  readonly note = (what: string) => {
    // The port of the merchant's server is any that is free.
    const same = what.replaceAll(/127\.0\.0\.1:\d+/g, 'merchant')
    this.log.update(same).update('\n')
  }

  passMs = (ms: number) => {
    this.#ms += ms
  }

  /** Starts a new server process. */
  start(): Server {
    return new Server({
      pool: this.appPool,
      owner: this.owner,
      turns: this.turns,
      signer: this.signer.client,
      tronEnergy: this.tronEnergy,
      note: this.note,
      definitions: this.places.map(each => each.definition),
      endpoints: id =>
        [0, 1, 2].map(place => {
          const http = `http://${id}-${place}.simulated`
          return { url: `${http}/jsonrpc`, urls: { http } }
        }),
      clock: this.clock,
      ms: () => this.#ms,
      passMs: this.passMs,
    })
  }

  place(chainId: string): Place {
    return this.places.find(each => each.definition.id === chainId)!
  }

  /** Clears all node faults and waits out the back-off. */
  heal(): void {
    for (const { nodes } of this.places) for (const node of nodes) node.faults = { ...healthy }
    this.signer.mood = 'up'
    this.passMs(61_000)
  }

  /** Advances the time by one block interval and mines a block. */
  mine({ chain, definition }: Place, deeds: readonly Deed[] = [], all = false): void {
    this.time = Math.max(this.time, chain.head.time) + Math.max(1, definition.blockTime)
    chain.mine(this.time, deeds, all)
  }

  /**
   * Returns id, symbol, contract, decimals and least deposit of each asset of a chain, the native coin last, a `unit`
   * that pays some fees, and the symbol `of` its price. One that is not accepted is a sibling of a token.
   */
  assets({ definition: { id, kind, tokens, siblings = [], native, minimum } }: Place) {
    const listed = tokens.map(each => ({ of: each.symbol, ...each, isAccepted: true }))
    const others = siblings.map(each => ({ ...each, isAccepted: false }))
    const coin = { ...native, of: native.symbol, contract: null, isAccepted: true }
    return [...listed, ...others, coin].map(each => ({
      ...each,
      id: assetOf(id, each.symbol),
      unit: unitOf(kind, each),
      minimum: parseDecimal(minimum?.[each.isAccepted ? each.symbol : each.of] ?? '0', each.decimals)!,
    }))
  }

  /** The assets of a chain that orders can be in. */
  accepted(place: Place) {
    return this.assets(place).filter(each => each.isAccepted)
  }

  payments() {
    return rowsOf(this.owner, 'select * from payments order by length(out_trade_no), out_trade_no')
  }

  /** Returns our deposit addresses of a kind of chain. Money sent to them on another kind is lost. */
  async ourAddresses({ definition: { kind } }: Place): Promise<Set<string>> {
    const rows = await rowsOf(this.owner, 'select address from deposit_addresses where chain_kind = $1', [kind])
    return new Set(rows.map(row => row.address))
  }

  /** Returns the node with the given host name. */
  nodeAt(host: string): SimNode | undefined {
    const [, id, place] = /^(.+)-(\d)\.simulated$/.exec(host) ?? []
    return id ? this.place(id).nodes[Number(place)] : undefined
  }
}

/** Creates the world of a seed: a database, a merchant with three applications, and the merchant's server. */
export async function makeWorld(scope: Scope, seed: number): Promise<World> {
  const world = new World(scope, seed, await testDatabase(scope))
  sameRandom(scope, createSeededRandom(seed * 31 + 2), world.clock)
  // Statistics that change in between change the order of rows without `order by`.
  await world.owner.query(`do $$ declare t regclass; begin
    for t in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = false)', t);
    end loop; end $$`)
  listen(scope, world)
  world.notifyUrl = await receive(scope, world)
  const { deps } = world.server
  await syncChains(deps)
  const merchant = await testMerchant(deps)
  world.merchantId = merchant.id
  world.otherId = (await testMerchant(deps)).id
  await giveHouse(world)
  const kinds = [
    { name: 'mixed', mixed_payment: true },
    { name: 'strict', mixed_payment: false, tolerance_permille: 50 },
    { name: 'fixed', mixed_payment: false, payment_mode: paymentMode.address },
  ]
  for (const kind of kinds) {
    const { appid } = await testApplication(deps, merchant.id, { ...kind, notify_url: world.notifyUrl })
    world.appids.push(appid)
  }
  for (const { definition, chain } of world.places) {
    if (world.isVault) await authorizeSweeps(world, { ...definition, to: chain.depositsGoTo })
    await world.server.follow(definition.id)
    // What the hot wallet has is counted once the engine knows it.
    await world.server.send(definition.id)
  }
  return world
}

/** Imports authorizations as an operator does. */
async function authorizeSweeps({ server }: World, chain: DelegatingChain): Promise<void> {
  await importAuthorizations(server.deps, chain, { xpub, lines: authorizations(chain) })
}

/** One of an asset, in base units; of TRX, which is worth less, a thousand. */
const unitOf = (kind: ChainKind, { contract, decimals }: { contract: string | null; decimals: number }) =>
  10n ** BigInt(decimals) * (kind === 'tron' && contract === null ? 1_000n : 1n)

/**
 * What the hot wallet has on a chain from the beginning, and its treasury: enough of everything, in base units. Amounts
 * of TRX are JSON numbers.
 */
const given = { evm: 10n ** 24n, tron: 10n ** 15n }

/** What payers have of each token: more than they ever send. */
const issued = 10n ** 76n

/** Siblings of tokens are given where there is a treasury: elsewhere the hot wallet has what was swept to it. */
const givenTo = ({ kind, tokens, siblings = [] }: ChainDefinition, wallets: readonly string[]): Deed[] => {
  const every = [...tokens, ...siblings].map(each => each.contract)
  const all = wallets.length > 1 ? every : tokens.map(each => each.contract)
  const toPayers = every.map(token => ({ token, from: nobody, to: payer, amount: issued }))
  return wallets.flatMap((to, index): Deed[] => {
    const own = all.map(token => ({ token, to, amount: given[kind] }))
    const transfers = index === 0 ? [...toPayers, ...own] : own
    return [
      { kind: 'coin', to, amount: given[kind] },
      { kind: 'tokens', transfers },
    ]
  })
}

/**
 * Draws the chains that have a treasury, and their floats: of an asset nothing, less than payouts take, nearly all or
 * all; or none is named.
 */
function drawFloats(definitions: readonly ChainDefinition[], dice: Random): Floats {
  const floats = definitions.map(({ id, kind, tokens, siblings = [], native }) => {
    const assets = [...tokens, ...siblings, { ...native, contract: null }].map(asset => {
      const unit = unitOf(kind, asset)
      const least = asset.contract === null ? unit / 20n : 0n
      const floats = [null, least, least, 20n * unit, given[kind] - 20n * unit, given[kind]]
      return [asset.contract ?? 'native', floats[dice.below(floats.length)] ?? null] as const
    })
    return [id, Object.fromEntries(assets.filter(each => each[1] !== null)) as Record<string, bigint>] as const
  })
  return new Map(floats.filter(() => dice.chance(0.6)))
}

/** Posts what the hot wallet and the treasury have, and lends the merchant some of it, worth some hundred USDT. */
async function giveHouse(world: World): Promise<void> {
  for (const place of world.places) {
    const { id: chainId, kind } = place.definition
    const wallets = world.floats.has(chainId) ? 2n : 1n
    for (const { id, symbol, unit, isAccepted } of world.assets(place)) {
      if (!isAccepted && wallets === 1n) continue
      const lent = !isAccepted ? 0n : symbol.startsWith('USD') ? 300n * unit : kind === 'tron' ? unit : unit / 4n
      const suspense = houseAccount('suspense', id)
      const moves = [makePosting('adjustment', houseAccount('chain', id), suspense, given[kind] * wallets)]
      if (lent > 0n) moves.push(makePosting('adjustment', suspense, availableAccount(world.merchantId, id), lent))
      await postEntries(world.owner, [{ group: groupPostings(`test:given:${id}`, moves) }], world.clock())
      world.lent.set(id, lent)
    }
    await ensureTreasury(world.server.deps, world.server.chain(chainId))
  }
}

const fromNow = (dice: () => Random): Random => ({
  next: () => dice().next(),
  below: below => dice().below(below),
  chance: probability => dice().chance(probability),
  hash: () => dice().hash(),
})

/** Routes requests for simulated nodes and the provider of energy to memory. Other requests are unaffected. */
function listen(scope: Scope, world: World): void {
  const { fetch } = globalThis
  const { send } = nodeTransport
  globalThis.fetch = async (input, init) =>
    input.toString() === energyProvider ? rent(world, String(init?.body)) : fetch(input, init)
  nodeTransport.send = async (url, to, body, limits) => {
    const { hostname, pathname } = new URL(url)
    const node = world.nodeAt(hostname)
    if (!node) return send(url, to, body, limits)
    world.turns.moved()
    world.note(`${url} ${body}`)
    const answer = await node.answer(pathname, body)
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
  }
  scope.after(() => {
    globalThis.fetch = fetch
    nodeTransport.send = send
  })
}

const energyProvider = 'https://energy.simulated/orders'

/** The provider of energy fills an order once, fails, or accepts what it never fills. */
function rent(world: World, body: string): Response {
  world.turns.moved()
  world.note(`${energyProvider} ${body}`)
  const { id, address, energy, seconds } = JSON.parse(body) as Record<'id' | 'address', string> &
    Record<'energy' | 'seconds', number>
  const { chain } = world.places.find(each => each.definition.kind === 'tron')!
  const outcome = world.dice.below(5)
  if (outcome === 0) return new Response(null, { status: 503 })
  if (outcome > 1 && !world.energyOrders.has(id))
    chain.rented.set(parseTronAddress(address)!, { energy: BigInt(energy), until: chain.head.time + seconds })
  world.energyOrders.add(id)
  return new Response(null, { status: 200 })
}

/** Starts the merchant's server, which records callbacks and answers according to `answersWith`. Returns its URL. */
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
