import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors, type KeyRoute, type RouteDefinition, type RouteKey, routes } from '@coffer/contract'
import { type KeyScope, keyScopeErrors, keyScopeSettings, keyScopes } from '@coffer/contract/kit/key-scopes.ts'
import { keyScopeLabels } from '@coffer/contract/labels/key-scopes.ts'
import { languageList, languages } from '@coffer/contract/languages.ts'
import type pg from 'pg'
import { changeApplication } from '../domains/applications/store.ts'
import { hashSecret, newSecret } from '../kit/secrets.ts'
import { makeApp } from '../serve.ts'
import { requestsOf } from '../testing/every-request.ts'
import { testApplication, testMerchant } from '../testing/merchants.ts'
import { moneyWorld } from '../testing/money.ts'
import { createOwned } from '../testing/owned.ts'
import { ownedRows } from '../testing/owned-rows.ts'

const world = await moneyWorld({ after })
const { deps, owner, merchant, appid } = world
const owned = await createOwned(world)
const requests = requestsOf(world, owned)
const calls = Object.entries<RouteDefinition>(routes).filter(
  (entry): entry is [RouteKey, KeyRoute] => entry[1].auth === 'key',
)
const whitelist = { ip_whitelist_enabled: true, ip_whitelist: ['127.0.0.1'] }
const rightsOf = (scopes: readonly KeyScope[]) => ({
  ...Object.fromEntries(keyScopes.map(scope => [keyScopeSettings[scope], scopes.includes(scope)])),
  marks_allowed: true,
  endpoints_allowed: false,
  ...whitelist,
})

/** What changes once a key was looked up, and before the first transaction of its call. */
let change: Partial<Record<'known' | 'connect', () => Promise<unknown>>> = {}
const pool = new Proxy(deps.pool, {
  get(target, name) {
    if (name === 'query')
      return async (query: pg.QueryConfig) => {
        const result = await target.query(query)
        if (query.name === 'application-by-key') await change.known?.()
        return result
      }
    if (name === 'connect')
      return async () => {
        await change.connect?.()
        return target.connect()
      }
    const value = Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  },
})
const app = await makeApp({ ...deps, pool })
after(() => app.close())

async function send(key: RouteKey, secret: string, headers: Record<string, string> = {}) {
  deps.pass(1)
  const [method = '', path = ''] = key.split(' ')
  const { params = {}, query = {}, body } = requests[key] ?? {}
  const answer = await app.inject({
    method: method as 'GET',
    url: `${path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'x')}?${new URLSearchParams(query as Record<string, string>)}`,
    headers: { authorization: `Bearer ${secret}`, 'x-download': '1', ...headers },
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, ...(answer.json() as { code: number; msg?: string }) }
}

/** Whether an answer refuses a scope, by its name. */
const isRefusal = ({ status, code, msg = '' }: Awaited<ReturnType<typeof send>>, scope: KeyScope) =>
  status === 403 &&
  code === errors[keyScopeErrors[scope]].code &&
  msg.includes(`missing scope: ${keyScopeLabels.en[scope]} (${scope})`)

for (const scope of keyScopes)
  test(`a key with the scope ${scope} alone makes its calls and no other, and one without it all others`, async () => {
    const alone = await testApplication(deps, merchant.id, { name: `${scope} alone`, ...rightsOf([scope]) })
    const others = keyScopes.filter(each => each !== scope)
    const without = await testApplication(deps, merchant.id, { name: `all but ${scope}`, ...rightsOf(others) })
    const before = await ownedRows(owner, merchant.id)
    const refusals = async (secret: string) => {
      const refused: string[] = []
      for (const [key, route] of calls) if (isRefusal(await send(key, secret), route.scope)) refused.push(key)
      return refused
    }
    const keysOf = (isIn: (of: KeyScope) => boolean) => calls.filter(([, of]) => isIn(of.scope)).map(([key]) => key)
    const refusedAlone = await refusals(alone.key)
    assert.deepEqual(
      refusedAlone,
      keysOf(of => of !== scope),
    )
    if (scope === 'read') assert.deepEqual(await ownedRows(owner, merchant.id), before)
    assert.deepEqual(
      await refusals(without.key),
      keysOf(of => of === scope),
    )
  })

test('a refusal names the scope in both languages', async () => {
  const { key: secret } = await testApplication(deps, merchant.id, { name: 'nothing', ...rightsOf([]) })
  for (const [key, { scope }] of calls)
    for (const language of languageList) {
      const { status, code, msg } = await send(key, secret, { 'x-language': languages[language].tag })
      assert.deepEqual([status, code], [403, errors[keyScopeErrors[scope]].code], key)
      for (const part of [keyScopeLabels[language][scope], scope]) assert.ok(msg!.includes(part), `${key}: ${msg}`)
    }
})

test('the key of another merchant with every scope reaches nothing', async () => {
  const stranger = await testMerchant(deps)
  const { key: secret } = await testApplication(deps, stranger.id, rightsOf(keyScopes))
  const before = await ownedRows(owner, merchant.id)
  for (const [key] of calls) {
    const answer = await send(key, secret)
    assert.ok(answer.status < 500, `${key}: ${JSON.stringify(answer)}`)
    assert.ok(!JSON.stringify(answer).includes(owned.order.trade_no) && !JSON.stringify(answer).includes(appid), key)
  }
  assert.deepEqual(await ownedRows(owner, merchant.id), before)
})

test('a key from before scopes manages webhook endpoints, and changes nothing else of the settings', async () => {
  const rights = { ...rightsOf(['read', 'orders']), endpoints_allowed: true }
  const { key: secret } = await testApplication(deps, merchant.id, { name: 'from before', ...rights })
  for (const [key, { scope, beforeScopes = false }] of calls)
    if (scope === 'settings') assert.equal(isRefusal(await send(key, secret), scope), !beforeScopes, key)
})

/** Calls that are answered all the same when their scope is taken away after the key was looked up, and why. */
const harmless: Partial<Record<RouteKey, string>> = {
  'POST /api/v1/pay/addresses': 'finds the address that the reference has',
}

test('a scope that is taken away while a request runs refuses it', async () => {
  const secret = `sk_live_${newSecret()}`
  const all = { key_hash: hashSecret(secret), ...rightsOf(keyScopes) }
  await changeApplication(deps.pool, merchant.id, appid, all)
  const before = await ownedRows(owner, merchant.id)
  for (const [key, { scope }] of calls.filter(([key]) => !key.startsWith('GET ')))
    for (const moment of ['known', 'connect'] as const) {
      change = {}
      await changeApplication(deps.pool, merchant.id, appid, all)
      // An order is made before its first transaction, by a statement that requires the scope.
      if (key === 'POST /api/v1/pay/orders' && moment === 'connect') continue
      const taken = { [keyScopeSettings[scope]]: false }
      const take = () => changeApplication(owner as unknown as pg.Pool, merchant.id, appid, taken)
      change = { [moment]: take }
      const answer = await send(key, secret)
      assert.equal(isRefusal(answer, scope), !harmless[key], `${key}, ${moment}: ${JSON.stringify(answer)}`)
    }
  change = {}
  const others = (rows: string[]) => rows.filter(row => !row.startsWith('applications '))
  assert.deepEqual(others(await ownedRows(owner, merchant.id)), others(before))
})
