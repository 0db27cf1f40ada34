import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { routes } from '../routes.ts'
import { keyScopes } from './key-scopes.ts'
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

test('each scope has calls, and what reads needs no more than the scope to read', () => {
  const byKey = Object.entries<RouteDefinition>(routes).filter(([, { auth }]) => auth === 'key')
  assert.deepEqual(new Set(byKey.map(([, { scope }]) => scope)), new Set(keyScopes))
  for (const [key, { scope }] of byKey) assert.equal(scope === 'read', key.startsWith('GET '), key)
})
