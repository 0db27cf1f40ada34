import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { FastifyInstance } from 'fastify'
import { makeApp } from '../serve.ts'
import { builtWeb } from '../testing/built-web.ts'
import { everyDoor, type Identity, identitiesOf } from '../testing/every-door.ts'
import { moneyWorld } from '../testing/money.ts'
import { isRefusal } from '../testing/refusals.ts'
import { consoleRoutePolicies, findRoutePolicy, publicRoutePolicies, type RoutePolicy } from './doors.ts'
import { webDistPath } from './web.ts'

await builtWeb()
const { deps } = await moneyWorld({ after }, { config: { mode: 'sandbox' } })
const { app, operators, ports } = await everyDoor({ after }, deps)

type Route = FastifyInstance['doors'][number] & { port: keyof typeof ports }
const routes: Route[] = Object.entries(ports).flatMap(([port, { doors }]) =>
  doors.map(each => ({ ...each, port: port as keyof typeof ports })),
)
const oneEach = routes.filter(({ method }) => method !== 'HEAD')
/** A built file of each port. */
const [publicFile, consoleFile] = [webDistPath, join(webDistPath, 'operator')].map(folder =>
  readdirSync(join(folder, 'assets')).find(name => /^[A-Z].*\.js$/.test(name)),
)
const files = { public: publicFile!, console: consoleFile! }

let visitors = 0
/** Sends a request, each from a network of its own. */
async function send(
  { port, method, url }: Route,
  more: { headers?: object; payload?: string | Buffer; remoteAddress?: string } = {},
) {
  visitors++
  return ports[port].inject({
    method: method as 'GET',
    url: url
      .replace(':file', files[port])
      .replace(/:(\w+)/g, 'x')
      .replace('*', 'x'),
    remoteAddress: more.remoteAddress ?? `10.${visitors >> 8}.${visitors & 255}.1`,
    ...(more.headers && { headers: { ...more.headers } }),
    ...(more.payload !== undefined && { payload: more.payload }),
  })
}
const nameOf = ({ port, method, url }: Route) => `${port} ${method} ${url}`
/** An event stream would not end. */
const ends = ({ url, door }: Route) => !(url.endsWith('/events') && door.refusal === 'envelope')

test('has a row for every route, and a route for every row', () => {
  assert.ok(oneEach.length > 400, `${oneEach.length}`)
  for (const [doors, port] of [
    [publicRoutePolicies, app],
    [consoleRoutePolicies, operators],
  ] as const)
    for (const key of Object.keys(doors)) {
      const [method, url = ''] = key.split(' ')
      const isServed = port.doors.some(
        each =>
          (method === 'ANY' || each.method === method) && findRoutePolicy(doors, each.method, each.url) === doors[key],
      )
      assert.ok(isServed, `${url} has a row and no route: remove it`)
    }
})

test('ends the start where a route has no row, and in production where it is of the sandbox', async t => {
  const withRoute = (url: string, mode: 'sandbox' | 'production') =>
    makeApp(
      { ...deps, config: { ...deps.config, mode } },
      { extend: async given => void given.post(url, async () => ({})) },
    )
  await assert.rejects(withRoute('/api/v1/forgotten', 'sandbox'), /POST \/api\/v1\/forgotten .* no row/)
  await assert.rejects(withRoute('/sandbox/mine', 'production'), /POST \/sandbox\/mine .* no row/)
  const fine = await withRoute('/sandbox/mine', 'sandbox')
  t.after(() => fine.close())
})

test('refuses a body over the limit of its row, stated or not, before anybody else is asked', async () => {
  for (const route of oneEach.filter(each => each.method !== 'GET')) {
    const { body } = route.door
    const isKnown = ['merchant', 'key', 'operator', 'shop'].includes(route.door.who)
    assert.ok(isKnown || body <= limits.publicBodyBytesMax, nameOf(route))
    const headers = { 'content-type': 'application/json' }
    const large = await send(route, { headers, payload: `{"x":"${'x'.repeat(body)}"}` })
    const found = `${nameOf(route)}: ${large.statusCode} ${large.body.slice(0, 200)}`
    assert.ok(large.statusCode === 413 || (route.door.refusal === 'epay' && large.json().code === -1), found)
    for (const type of ['multipart/form-data', ' Multipart/Form-Data', 'MULTIPART/mixed']) {
      const parts = { 'content-type': `${type}; boundary=x`, 'transfer-encoding': 'chunked' }
      const unmeasured = await send(route, { headers: parts, payload: '--x--' })
      // EPay says so in words, with the status that it always has.
      if (route.door.refusal === 'epay') assert.equal(unmeasured.body, large.body, `${nameOf(route)}: ${type}`)
      else assert.equal(unmeasured.statusCode, 413, `${nameOf(route)}: ${type}`)
    }
  }
})

test('refuses every identity but the one of the row, in the form of the row', async () => {
  const opens: Record<RoutePolicy['who'], Identity[] | 'all'> = {
    anybody: 'all',
    holder: 'all',
    machine: 'all',
    merchant: ['merchant'],
    pending: ['pending'],
    key: ['key'],
    operator: ['operator'],
    signature: [],
    shop: [],
    metrics: [],
  }
  const identities = await identitiesOf(deps)
  let refused = 0
  for (const route of oneEach.filter(ends)) {
    const allowed = opens[route.door.who]
    for (const [name, headers] of Object.entries(identities)) {
      // A pending sign-in of an operator is none of these.
      const isRight = allowed === 'all' || allowed.includes(name as Identity)
      if (isRight || (route.port === 'console' && route.door.who === 'pending')) continue
      // In the sandbox this machine reads its metrics.
      const answer = await send(route, { headers })
      const found = `${nameOf(route)} as ${name}: ${answer.statusCode} ${answer.body.slice(0, 200)}`
      assert.ok(route.door.who === 'metrics' ? answer.statusCode === 404 : isRefusal[route.door.refusal](answer), found)
      refused++
    }
  }
  assert.ok(refused > 1_000, `${refused}`)
  const info = await app.inject({ url: '/api/v1/user/info', headers: identities.merchant })
  assert.equal(info.statusCode, 200, 'a refused session was still one at the end')
})

test('answers other methods of a path with 405 and those that it takes', async () => {
  const paths = Map.groupBy(routes, ({ port, url }) => `${port} ${url}`)
  for (const [name, of] of paths) {
    const taken = of.map(({ method }) => method)
    const other = ['PUT', 'DELETE', 'PATCH', 'POST'].find(method => !taken.includes(method))!
    if (taken.includes('PATCH') || /\/(?:stores|pull-payments|oidc)\//.test(name)) continue
    const { statusCode, headers, body } = await send({ ...of[0]!, method: other })
    assert.ok(
      statusCode === 405 || (of[0]!.door.refusal === 'epay' && JSON.parse(body).code === -1),
      `${name}: ${body}`,
    )
    const allowed = String(headers.allow).split(', ')
    assert.deepEqual([taken.filter(method => !allowed.includes(method)), allowed.includes(other)], [[], false], name)
  }
})

test('sends the headers of the row: who may keep an answer, and who may frame it', async () => {
  const caching = {
    never: /^no-store$/,
    revalidated: /^no-cache$/,
    minutes: /^max-age=300$/,
    day: /86400$/,
    'for ever': /immutable$/,
  }
  for (const route of oneEach.filter(ends)) {
    const { statusCode, headers } = await send(route)
    const name = `${nameOf(route)}: ${statusCode} ${headers['cache-control']}`
    if (route.url === '/sandbox/oidc/*') continue
    if (route.url === '/assets/:file') assert.equal(statusCode, 200, name)
    assert.match(String(headers['cache-control']), statusCode < 400 ? caching[route.door.cached] : caching.never, name)
    assert.equal(headers['x-content-type-options'], 'nosniff', name)
    assert.equal(headers['x-frame-options'], 'DENY', name)
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, name)
    assert.equal(headers['x-powered-by'] ?? headers.server, undefined, name)
  }
})

test('refuses forms that break off, and paths and queries with a NUL, without an internal error', async () => {
  const part = '--x\r\nContent-Disposition: form-data; name="pid"\r\n\r\n1'
  for (const route of oneEach) {
    const url = `${route.url.replace(/:(\w+)/g, '%00')}?embed=x&lang=%00`
    const found = await send({ ...route, url }, { headers: { accept: 'text/html' } })
    assert.ok(found.statusCode < 500 || found.statusCode === 503, `${nameOf(route)}: ${found.body}`)
    if (route.method === 'GET') continue
    for (const type of ['multipart/form-data; boundary=x', 'multipart/form-data']) {
      const broken = await send(route, { headers: { 'content-type': type }, payload: part })
      assert.ok(broken.statusCode < 500, `${nameOf(route)}: ${broken.body}`)
    }
  }
})

test('lets strangers of one network wait on every route that shares places, and others pass', async () => {
  for (const route of oneEach) {
    const { share } = route.door
    if (share === 'none' || share === 'caller') continue
    const crowd = '198.51.100.0/24'
    const gate = ports[route.port].gates[share]
    const leaves = await Promise.all(Array.from({ length: share === 'strangers' ? 2 : 3 }, () => gate.enter(crowd)))
    let isHeld = true
    const held = send(route, { remoteAddress: '198.51.100.7' }).then(() => {
      isHeld = false
    })
    await send(route)
    assert.ok(isHeld, `${nameOf(route)} takes no place`)
    for (const leave of leaves) leave()
    await held
  }
})

test('takes one request of MCP, from nobody but to read the documentation, and from a key that is valid', async () => {
  const route = routes.find(({ url }) => url === '/mcp')!
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const one = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const ask = (body: unknown, headers: object = {}) =>
    send(route, { headers: { ...json, ...headers }, payload: JSON.stringify(body) })
  const lists = '['.repeat(7_000) + ']'.repeat(7_000)
  const deep = JSON.stringify(one).replace('{}', `{"a":${lists}}`)
  const several = [[one], Array.from({ length: 100 }, () => one), [], null].map(body => JSON.stringify(body))
  for (const body of [...several, deep]) {
    const { statusCode, body: text } = await send(route, { headers: json, payload: body })
    assert.deepEqual([statusCode, JSON.parse(text).error.code, text.length < 500], [422, -32_600, true], text)
  }
  assert.equal((await ask(one)).statusCode, 200)
  // The body is not read: it would be refused as a batch.
  assert.equal((await ask([one], { authorization: `Bearer sk_live_${'x'.repeat(43)}` })).statusCode, 401)
})
