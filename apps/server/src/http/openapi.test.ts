import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RouteDefinition, routes } from '@coffer/contract'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openApi } from './openapi.ts'

const document = openApi('https://pay.example') as { paths: Record<string, Record<string, object>> }

test('a validator accepts the document', async () => {
  const result = await new Validator().validate(structuredClone(document))
  assert.deepEqual(result.errors ?? [], [])
  assert.equal(result.valid, true)
})

test('every call with the secret key is in it', () => {
  for (const [key, { auth }] of Object.entries(routes) as [string, RouteDefinition][]) {
    const [method = '', url = ''] = key.split(' ')
    if (auth === 'key') assert.ok(document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()], key)
  }
})
