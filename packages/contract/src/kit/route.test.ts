import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { routes } from '../routes.ts'
import { keyScopes } from './key-scopes.ts'
import { merchantRoleNames } from './merchant-roles.ts'
import { defineRoutes, type RouteDefinition } from './route.ts'

const call = {
  summary: { en: 'Say', 'zh-CN': '说' },
  docs: { id: 'say', tag: 'Account', errors: [] },
  data: z.object({}),
} as const

test('a call with a key names its scope, or does not compile', () => {
  defineRoutes({ 'GET /api/v1/pay/say': { auth: 'key', scope: 'read', ...call } })
  // @ts-expect-error: no scope
  defineRoutes({ 'GET /api/v1/pay/say': { auth: 'key', ...call } })
  // @ts-expect-error: no such scope
  defineRoutes({ 'GET /api/v1/pay/say': { auth: 'key', scope: 'everything', ...call } })
  // @ts-expect-error: without a key there is no scope
  defineRoutes({ 'GET /api/v1/pay/say': { auth: 'public', scope: 'read', ...call } })
})

test('a signed-in call says who may make it, or does not compile', () => {
  const { data } = call
  const summary = 'Say'
  defineRoutes({ 'GET /api/v1/say': { who: ['owner'], summary, data } })
  defineRoutes({ 'GET /api/v1/say': { who: 'oneself', summary, data } })
  defineRoutes({ 'GET /api/v1/say': { auth: 'public', summary, data } })
  // @ts-expect-error: nobody said who
  defineRoutes({ 'GET /api/v1/say': { summary, data } })
  // @ts-expect-error: no such role
  defineRoutes({ 'GET /api/v1/say': { who: ['cashier'], summary, data } })
  // @ts-expect-error: nobody has signed in
  defineRoutes({ 'GET /api/v1/say': { auth: 'public', who: ['owner'], summary, data } })
  // @ts-expect-error: a key has scopes
  defineRoutes({ 'GET /api/v1/pay/say': { auth: 'key', scope: 'read', who: ['owner'], ...call } })
})

test('an owner may make every call, and who may change something reads something', () => {
  const signedIn = Object.entries<RouteDefinition>(routes).filter(([, { auth }]) => auth === 'token')
  for (const [key, { who = [] }] of signedIn) assert.ok(who === 'oneself' || who.includes('owner'), key)
  for (const role of merchantRoleNames) {
    const own = signedIn.filter(([, { who = [] }]) => who !== 'oneself' && who.includes(role)).map(([key]) => key)
    assert.ok(
      own.some(key => key.startsWith('GET /api/v1/transactions')),
      role,
    )
    if (role === 'viewer')
      assert.deepEqual(
        own.filter(key => !key.startsWith('GET ')),
        ['PUT /api/v1/message/read', 'POST /api/v1/message/push'],
      )
  }
})

test('each scope has calls, and what reads needs no more than the scope to read', () => {
  const byKey = Object.entries<RouteDefinition>(routes).filter(([, { auth }]) => auth === 'key')
  assert.deepEqual(new Set(byKey.map(([, { scope }]) => scope)), new Set(keyScopes))
  // Who works for a shop is no business of the keys that read its orders, and was not when they were made.
  for (const [key, { scope }] of byKey)
    if (scope !== 'members') assert.equal(scope === 'read', key.startsWith('GET '), key)
})
