import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type RouteDefinition, type RouteKey, routes } from '@coffer/contract'
import pg from 'pg'
import { changeApplication } from '../domains/applications/store.ts'
import { hashSecret, newSecret } from '../kit/secrets.ts'
import { appRoleConnectionOptions } from '../migrations/app-role.ts'
import { makeApp } from '../serve.ts'
import { requestsOf } from '../testing/every-request.ts'
import { moneyWorld } from '../testing/money.ts'
import { createOwned } from '../testing/owned.ts'

const world = await moneyWorld({ after })
const { deps, merchant, appid } = world
const key = `sk_live_${newSecret()}`
await changeApplication(deps.pool, merchant.id, appid, {
  key_hash: hashSecret(key),
  members_allowed: true,
  ip_whitelist_enabled: true,
  ip_whitelist: ['127.0.0.1'],
})
const request = requestsOf(world, await createOwned(world))
// A session notes its use once in a while, which is no change by a call.
await deps.pool.query('update sessions set last_seen = $1', [deps.clock()])

const pool = new pg.Pool({
  connectionString: deps.url,
  max: 5,
  options: `${appRoleConnectionOptions} -c default_transaction_read_only=on`,
})
pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
after(() => pool.end())
const app = await makeApp({ ...deps, pool, pools: { jobs: pool, chains: pool, probes: pool } })
after(() => app.close())

/** Sends a valid request of a route. */
async function send(route: string) {
  const [method, path = ''] = route.split(' ')
  const { params = {}, query = {} } = request[route as RouteKey] ?? {}
  const url = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const { auth } = routes[route as RouteKey] as RouteDefinition
  const headers = auth === 'key' ? { authorization: `Bearer ${key}` } : { 'x-token': merchant.token }
  return app.inject({
    method: method as 'GET',
    url: `${url}?${search}`,
    headers: { ...headers, 'x-download': '1' },
    ...(method === 'GET' ? {} : { payload: {} }),
  })
}

const gets = (Object.entries(routes) as [RouteKey, RouteDefinition][]).filter(
  ([route, { kind }]) => route.startsWith('GET ') && kind !== 'events',
)

test('no GET changes anything: all work on a database that may only be read', async () => {
  assert.ok(gets.length > 30)
  for (const [route] of gets) {
    const answer = await send(route)
    assert.equal(answer.statusCode, 200, `${route}: ${answer.body.slice(0, 200)}`)
  }
})

test('a GET answers what the contract declares, and nothing else', async () => {
  for (const [route, { kind, data }] of gets) {
    if (kind !== undefined) continue
    const answer = (await send(route)).json().data
    assert.deepEqual(JSON.parse(JSON.stringify(data.parse(answer))), answer, route)
  }
})

test('a call that changes something fails on it, so that the test above can', async () => {
  // As of a former primary.
  assert.equal((await send('DELETE /api/v1/user/sessions')).statusCode, 503)
})
