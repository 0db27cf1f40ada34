import { type RouteDefinition, type RouteKey, routes } from '@coffer/contract'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import { changeApplication } from '../domains/applications/store.ts'
import { hashSecret, newSecret } from '../kit/secrets.ts'
import { makeApp } from '../serve.ts'
import { requestsOf, type TestRequest } from './every-request.ts'
import { moneyWorld } from './money.ts'
import { createOwned } from './owned.ts'
import { ownedRows } from './owned-rows.ts'

/** The routes of the contract. */
export const entries = Object.entries(routes) as [RouteKey, RouteDefinition][]

export type Headers = Record<string, string>
export const asToken = (token: string): Headers => ({ 'x-token': token })
export const asKey = (key: string): Headers => ({ authorization: `Bearer ${key}` })

const membersFromHere = { members_allowed: true, ip_whitelist_enabled: true, ip_whitelist: ['10.0.0.0/8'] }
/** Settings of an application whose key may make every call, from the networks of these tests. */
export const everyScope = {
  payouts_allowed: true,
  settings_allowed: true,
  ...membersFromHere,
}

/** A server, one of every object of a merchant, and a valid request for every route. */
export async function everyRoute(scope: Scope) {
  const world = await moneyWorld(scope)
  const { deps, owner, merchant, appid } = world
  const ownKey = `sk_live_${newSecret()}`
  await changeApplication(deps.pool, merchant.id, appid, { key_hash: hashSecret(ownKey), ...membersFromHere })
  const app = await makeApp(deps)
  scope.after(() => app.close())
  const owned = await createOwned(world)
  const request = requestsOf(world, owned)
  const requests = Object.fromEntries(entries.map(([key]) => [key, request[key] ?? {}])) as Record<
    RouteKey,
    TestRequest
  >

  let visitors = 0
  /** Sends a request, each from its own network so that rate limits do not interfere. */
  async function send(key: string, request: TestRequest & { raw?: string }, headers: Headers = {}) {
    const [method, path = ''] = key.split(' ')
    const inPath = path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent((request.params?.[name] ?? 'x').toString().toWellFormed()),
    )
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(request.query ?? {})) query.append(name, String(value))
    const payload = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
    visitors++
    const answer = await app.inject({
      method: method as 'GET',
      url: `${inPath}?${query}`,
      remoteAddress: `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`,
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        'x-download': '1',
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    return { status: answer.statusCode, text: answer.body, headers: answer.headers }
  }

  const rows = () => ownedRows(owner, merchant.id)
  return { deps, owner, merchant, appid, ownKey, owned, request, requests, send, rows }
}
