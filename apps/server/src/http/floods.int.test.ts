import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, test } from 'node:test'
import type pg from 'pg'
import { everyDoor, type Identity, identitiesOf } from '../testing/every-door.ts'
import { requestsOf, type TestRequest } from '../testing/every-request.ts'
import { createOwned } from '../testing/owned.ts'
import { type Named, shopRequests, type TestShops } from '../testing/shop-requests.ts'
import { shopWorld } from '../testing/shop-world.ts'
import type { RoutePolicy } from './doors.ts'
import { anonymousConcurrencyLimits } from './wall.ts'

/*
 * Floods every route of the table from one network. Whatever the flood asks of the database is held until the test lets
 * it go, so that nothing depends on time: only as many of its requests as have places get that far, and another network
 * is answered meanwhile.
 */

const world = await shopWorld({ after })
const { deps } = world
const { ports } = await everyDoor({ after }, deps)
const owned = await createOwned(world)
const requests = requestsOf(world, owned) as Record<string, TestRequest | undefined>
const shops: TestShops = {
  epay: await world.connect('epay'),
  epusdt: await world.connect('epusdt'),
  greenfield: await world.connect('btcpay'),
  coinbase: await world.connect('coinbase', { notify_url: 'https://shop.example/hook' }),
}

/** A request of the flood. */
interface Flooding {
  /** Resolves when the flood is let go. */
  held: Promise<void>
  /** Whether it has queried the database. */
  arrived: boolean
}
const flood = new AsyncLocalStorage<Flooding>()

/** Holds what requests of the flood ask of the database. */
function holdFlood(pool: pg.Pool): void {
  const { query, connect } = pool
  const hold = async () => {
    const request = flood.getStore()
    if (!request) return
    request.arrived = true
    await request.held
  }
  pool.query = (async (...given: Parameters<typeof query>) => {
    await hold()
    return query.apply(pool, given)
  }) as unknown as typeof query
  pool.connect = ((done?: Parameters<typeof connect>[0]) =>
    done ? connect.call(pool, done) : hold().then(() => (connect as () => unknown).call(pool))) as typeof connect
}
holdFlood(deps.pool)

/** Streams do not end, files that were built are alike, and what runs on this machine floods nobody. */
const isLeft = (url: string, { who }: RoutePolicy) => /^\/(?:assets|logos)\/|\/events$/.test(url) || who === 'machine'
const routes = Object.entries(ports).flatMap(([port, app]) =>
  app.doors
    .filter(({ method, url, door }) => method !== 'HEAD' && !isLeft(url, door))
    .map(each => ({ ...each, app, name: `${port} ${each.method} ${each.url}` })),
)
type Route = (typeof routes)[number]

/** A request that gets as far as it can. */
function requestOf({ method, url, door }: Route, identities: Record<Identity, Record<string, string>>) {
  if (['signature', 'shop', 'holder'].includes(door.who) && !door.hasContract && !/:(?:token|trade_no)\b/.test(url)) {
    const numbers = { number: 'S-1', tradeNo: owned.order.trade_no, pull: owned.refundLink, delivery: owned.callback }
    const named: Named = { shops, ...numbers, title: 'VIP', back: 'https://shop.example/back', code: 'x' }
    const all = shopRequests({ method, url, door }, shops, named, deps.clock())
    // Those of EPay begin with one that proves nothing.
    return all[1] ?? all[0]!
  }
  const { params, query, body } = requests[`${method} ${url}`] ?? {}
  const path = url.replace(/:(\w+)/g, (_, name: string) => params?.[name] ?? 'x').replace('*', 'x')
  const headers = identities[door.who as Identity] ?? {}
  const texts = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)])
  const json = { 'content-type': 'application/json' }
  return {
    method,
    url: `${path}?${new URLSearchParams(Object.fromEntries(texts))}`,
    headers: { ...headers, 'x-download': '1', ...(body && json) },
    ...(body && { payload: JSON.stringify(body) }),
  }
}

/** How many of one network, or of one caller, may be handled at once. */
const places: Record<RoutePolicy['share'], number> = {
  payers: anonymousConcurrencyLimits.payers.max,
  shops: anonymousConcurrencyLimits.shops.max,
  strangers: anonymousConcurrencyLimits.strangers.max,
  caller: 4,
  none: 0,
}
const crowd = 5
/** Asks by connections of its own, which are few. */
const probe = 'public GET /readyz'

test('lets as many requests of a flood to the database as have places, on every route, and answers others meanwhile', async t => {
  const reached: string[] = []
  const failed: string[] = []
  let mine = await identitiesOf(deps)
  let others = await identitiesOf(deps)
  for (const [at, route] of routes.entries()) {
    deps.pass(60)
    // Some requests end the session or key that they come with.
    if (at % 20 === 19) {
      mine = await identitiesOf(deps)
      others = await identitiesOf(deps)
    }
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const send = (identities: typeof mine, remoteAddress: string) =>
      route.app.inject({ ...(requestOf(route, identities) as { method: 'GET'; url: string }), remoteAddress })
    const flooding: Flooding[] = Array.from({ length: crowd }, () => ({ held, arrived: false }))
    const answers = flooding.map(each => flood.run(each, async () => await send(mine, '198.51.100.7')))
    const other = await send(others, `10.${at >> 8}.${at & 255}.1`)
    const arrived = flooding.filter(each => each.arrived).length
    letGo()
    const statuses = [other, ...(await Promise.all(answers))].map(each => each.statusCode)
    if (arrived > 0) reached.push(route.name)
    if (arrived > places[route.door.share] && route.name !== probe)
      failed.push(`${route.name}: ${arrived} at once, ${route.door.share}`)
    if (statuses.some(status => status >= 500 && status !== 503)) failed.push(`${route.name}: ${statuses}`)
  }
  t.diagnostic(`${reached.length} of ${routes.length} routes asked the database for a flood`)
  assert.deepEqual(failed, [])
  assert.ok(reached.length > 200, `${reached.length}`)
})
