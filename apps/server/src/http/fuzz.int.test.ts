import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { volume } from '@coffer/local/testing/full.ts'
import { everyDoor, identitiesOf } from '../testing/every-door.ts'
import { requestsOf } from '../testing/every-request.ts'
import { chooser, type HostileRequest, hostileRequest, type Known } from '../testing/hostile-request.ts'
import { createOwned } from '../testing/owned.ts'
import { shopWorld } from '../testing/shop-world.ts'

/** Hostile requests over the whole table; `npm test -- fuzz --fuzz 50000` sends more. */
const count = Number(process.env.COFFER_TEST_FUZZ ?? volume(1_000, 5_000))
const seed = Number(process.env.COFFER_TEST_SEED ?? Date.now() & 0xffffff)
/** After how many requests there are new merchants, shops and keys: some requests end those that there were. */
const round = 500

const world = await shopWorld({ after })
const { deps, merchant } = world
const { ports } = await everyDoor({ after }, deps)
const owned = await createOwned(world)

async function known(): Promise<Known> {
  const shops = {
    epay: await world.connect('epay'),
    epusdt: await world.connect('epusdt'),
    btcpay: await world.connect('btcpay'),
    coinbase: await world.connect('coinbase', { notify_url: 'https://shop.example/hook' }),
  }
  return {
    requests: requestsOf(world, owned),
    identities: await identitiesOf(deps),
    shops,
    numbers: [owned.order.trade_no, owned.open.trade_no, owned.collected, merchant.mchid, 'out:first-merchants-own'],
  }
}

const routes = Object.values(ports).flatMap(app =>
  app.doors.filter(each => each.method !== 'HEAD').map(each => ({ ...each, app })),
)
/** Logos are many, and alike. */
const tried = routes.filter(({ url }, at) => !url.startsWith('/logos/') || at % 50 === 0)

test(`answers ${count} hostile requests over all routes without an internal error (seed ${seed})`, async t => {
  const choose = chooser(seed)
  const statuses = new Map<number, number>()
  const failed = new Map<string, string>()
  let given = await known()
  for (let sent = 0; sent < count; sent++) {
    if (sent % round === round - 1) given = await known()
    if (sent % 10 === 0) deps.pass(1)
    // Each once, then any.
    const { app, ...route } = tried[sent] ?? choose.one(tried)
    const { headers, ...request }: HostileRequest = hostileRequest(choose, route, given)
    const answer = await app.inject({
      ...(request as HostileRequest & { method: 'GET' }),
      headers,
      remoteAddress: `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`,
    })
    const { statusCode, body } = answer
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    if (statusCode < 500 || statusCode === 503) continue
    const { url, payload = '' } = request
    const what = [url.slice(0, 120), JSON.stringify(headers), String(payload).slice(-300), body.slice(0, 100)].join(' ')
    failed.set(`${route.method} ${route.url} ${statusCode}`, what)
  }
  t.diagnostic(
    `statuses: ${[...statuses]
      .sort(([a], [b]) => a - b)
      .map(each => each.join(' × '))
      .join(', ')}`,
  )
  assert.deepEqual([...failed], [])
})
