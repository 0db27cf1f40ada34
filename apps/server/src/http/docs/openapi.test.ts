import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callbackEvents, type RouteDefinition, routes } from '@coffer/contract'
import { paymentWebhook } from '@coffer/contract/webhooks.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { paidEvent } from './examples.ts'
import { openApi } from './openapi.ts'
import { type Documented, operations } from './operations.ts'
import type { Json } from './schemas.ts'

const publicUrl = 'https://pay.example'
const document = openApi(publicUrl) as {
  paths: Record<string, Record<string, Json>>
  webhooks: Json
  components: { schemas: Record<string, Json> }
}
const of = (key: string) => {
  const [method = '', url = ''] = key.split(' ')
  return document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
}

test('the document passes an OpenAPI validator', async () => {
  const result = await new Validator().validate(structuredClone(document))
  assert.deepEqual(result.errors ?? [], [])
  assert.equal(result.valid, true)
})

test('documents all calls of the merchant’s server and the checkout, and none of the back-office', () => {
  const keys = (Object.entries(routes) as [string, RouteDefinition][])
    .filter(([key, { auth }]) => auth === 'key' || key.includes(' /api/v1/checkout/'))
    .map(([key]) => key)
  assert.deepEqual(Object.keys(operations).sort(), keys.sort())
  for (const key of keys) assert.ok(of(key), key)
  assert.equal(Object.values(document.paths).flatMap(Object.keys).length, keys.length)
  assert.deepEqual(Object.keys(document.webhooks), [...callbackEvents])
})

test('every example matches the contract', () => {
  for (const [key, { body, answer }] of Object.entries(operations) as [keyof typeof operations, Documented][]) {
    const route: RouteDefinition = routes[key]
    if (body) assert.ok(route.body?.safeParse(body).success, `${key}: body`)
    if (answer) assert.deepEqual(route.data.parse(answer(publicUrl)), answer(publicUrl), `${key}: answer`)
  }
  assert.deepEqual(paymentWebhook.parse(paidEvent(publicUrl)), paidEvent(publicUrl))
})

test('every reference resolves, and shared schemas are components', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    match => match[1] ?? '',
  )
  for (const name of references) assert.ok(document.components.schemas[name], name)
  assert.deepEqual(Object.keys(document.components.schemas).sort(), [
    'Balance',
    'Checkout',
    'Currency',
    'Deposit',
    'Error',
    'NewOrder',
    'Order',
  ])
})

test('request bodies reject unknown fields, responses may grow', () => {
  const { NewOrder, Order } = document.components.schemas
  assert.equal(NewOrder?.additionalProperties, false)
  assert.deepEqual(NewOrder?.required, ['out_trade_no', 'amount'])
  assert.equal(Order?.additionalProperties, undefined)
})
