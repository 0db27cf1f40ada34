import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  callbackEvents,
  errors,
  needsIdempotencyKey,
  paymentStatus,
  type RouteDefinition,
  routes,
} from '@coffer/contract'
import { paymentWebhook } from '@coffer/contract/callbacks/webhooks.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { makePaidEventExample } from './examples.ts'
import { buildOpenApiDocument } from './openapi.ts'
import { type DocumentedOperation, operations } from './operations.ts'
import type { JsonObject } from './schemas.ts'

const publicUrl = 'https://pay.example'
interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: JsonObject[]
  parameters: { name: string; in: string; description: string; schema: JsonObject }[]
  requestBody?: { content: Record<string, { schema: JsonObject }> }
  responses: Record<string, { headers?: JsonObject; content?: Record<string, { schema: JsonObject }> }>
}
const document = buildOpenApiDocument(publicUrl) as unknown as {
  info: JsonObject
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, JsonObject> }
}
const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).map(operation => ({ path, operation })),
)
const every = [...calls.map(each => each.operation), ...Object.values(document.webhooks).map(({ post }) => post)]
/** Every object in the document, with the path to it. */
function* objectsOf(value: unknown, at = '#'): Generator<[at: string, object: JsonObject]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value as JsonObject]
  for (const [name, part] of Object.entries(value)) yield* objectsOf(part, `${at}/${name}`)
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
  for (const [key, { body, answer }] of Object.entries(operations) as [
    keyof typeof operations,
    DocumentedOperation,
  ][]) {
    const route: RouteDefinition = routes[key]
    if (body) assert.ok(route.body?.safeParse(body).success, `${key}: body`)
    if (answer) assert.deepEqual(route.data.parse(answer(publicUrl)), answer(publicUrl), `${key}: answer`)
  }
  assert.deepEqual(paymentWebhook.parse(makePaidEventExample(publicUrl)), makePaidEventExample(publicUrl))
})

test('every reference resolves, and shared schemas are components', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    match => match[1] ?? '',
  )
  for (const name of references) assert.ok(document.components.schemas[name], name)
  for (const name of Object.keys(document.components.schemas)) assert.ok(references.includes(name), `unused: ${name}`)
  assert.deepEqual(Object.keys(document.components.schemas).sort(), [
    'Address',
    'AddressDeposit',
    'Application',
    'ApplicationChanges',
    'ApplicationStatistics',
    'Balance',
    'Callback',
    'Checkout',
    'CheckoutEvent',
    'Currency',
    'Deposit',
    'DepositEvent',
    'Error',
    'Event',
    'Member',
    'MemberInvitation',
    'NewAddress',
    'NewMemberInvitation',
    'NewOrder',
    'NewPaymentLink',
    'NewRefund',
    'NewRefundLink',
    'NewWebhookEndpoint',
    'NewWithdrawal',
    'Order',
    'PaidMark',
    'PaymentEvent',
    'PaymentLink',
    'Refund',
    'RefundEvent',
    'RefundLink',
    'TestEvent',
    'WebhookEndpoint',
    'WebhookEndpointChanges',
    'WebhookEvent',
    'Withdrawal',
    'WithdrawalEvent',
  ])
})

/**
 * What regular expressions of Python, Go (RE2), Rust, Java and JavaScript have in common: no classes whose meaning
 * differs (`\\d` is Unicode in Python), no properties, lookarounds, back references, lazy quantifiers, nor classes in
 * classes.
 */
const literal = '[A-Za-z0-9 _/:;,=@!"#%&\'<>~-]|\\\\(?:x[0-9A-F]{2}|[.+*?()|^$\\[\\]{}/\\\\-])'
const inClass = '(?:[A-Za-z0-9_:;,/. ]|\\\\x[0-9A-F]{2})'
const portable = new RegExp(
  `^(?:\\^|\\$|\\||\\(\\?:|\\)|(?:(?<=\\))|\\.|${literal}|\\[\\^?(?:${inClass}(?:-${inClass})?)+\\])(?:[*+?]|\\{\\d{1,3}(?:,\\d{0,3})?\\})?)*$`,
)

test('every pattern means the same in all engines, and accepts what the contract accepts', () => {
  const found = new Set(
    [...objectsOf(document)].flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : [])),
  )
  assert.ok(found.size >= 5)
  for (const pattern of found) {
    assert.match(pattern, portable)
    assert.ok(new RegExp(pattern, 'u') && new RegExp(pattern))
  }
  for (const other of [
    '^\\p{L}$',
    '^(?=a)b',
    '(?!a)',
    '(a)',
    '\\d',
    '\\w+',
    'a*?',
    'a++',
    '(a)\\1',
    '[[a]]',
    '[a&&b]',
    '(?<n>a)',
    'a{1001}',
  ])
    assert.doesNotMatch(other, portable)
  const { out_trade_no, metadata } = document.components.schemas.NewOrder!.properties as Record<string, JsonObject>
  const keys = metadata!.propertyNames as JsonObject
  const accepts = (schema: JsonObject | undefined, text: string) => new RegExp(String(schema?.pattern), 'u').test(text)
  for (const text of ['A-1', 'a b', '订单 1', '😀'.repeat(64), 'a']) assert.ok(accepts(out_trade_no, text), text)
  for (const text of ['', ' a', 'a ', 'a\tb', 'a\0b']) assert.ok(!accepts(out_trade_no, text), text)
  for (const text of ['a_b.c:d-1', '客户', 'x'.repeat(64)]) assert.ok(accepts(keys, text), text)
  for (const text of ['', 'a b', 'a=b', 'x'.repeat(65)]) assert.ok(!accepts(keys, text), text)
})

test('request bodies reject unknown fields, responses may grow', () => {
  const { NewOrder, Order } = document.components.schemas
  assert.equal(NewOrder?.additionalProperties, false)
  assert.deepEqual(NewOrder?.required, ['out_trade_no', 'amount'])
  assert.equal(Order?.additionalProperties, undefined)
})

test('passes the recommended rules of linters: license, ids, security, tags, parameters, client errors', () => {
  assert.deepEqual(document.info.license, { name: 'MIT', identifier: 'MIT' })
  const ids = every.map(({ operationId }) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]))
  for (const { operationId, summary, tags: own, security, parameters, responses } of every) {
    assert.match(operationId, /^[A-Za-z0-9._~-]+$/)
    assert.ok(summary && security && own.every(tag => tags.get(tag)), operationId)
    assert.ok(
      Object.keys(responses).some(status => status.startsWith('4')),
      operationId,
    )
    const names = parameters.map(each => `${each.in} ${each.name}`)
    assert.equal(new Set(names).size, names.length, operationId)
  }
  for (const { path, operation } of calls) {
    const inPath = operation.parameters.filter(each => each.in === 'path').map(each => each.name)
    assert.deepEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]),
      inPath,
    )
    assert.doesNotMatch(path, /[?]|\/$/)
  }
})

test('describes every field, parameter and component', () => {
  const bare: string[] = []
  for (const [at, { properties }] of objectsOf(document))
    for (const [name, part] of Object.entries((properties ?? {}) as Record<string, JsonObject>))
      if (!part.description) bare.push(`${at}/${name}`)
  for (const { operationId, parameters } of every)
    for (const { name, description } of parameters) if (!description) bare.push(`${operationId} ${name}`)
  for (const [name, schema] of Object.entries(document.components.schemas)) if (!schema.description) bare.push(name)
  assert.deepEqual(bare, [])
})

test('has no defaults, which generated clients would take for fields that are always there', () => {
  const found = [...objectsOf(document)].filter(([at, schema]) => 'default' in schema && !/responses$/.test(at))
  assert.deepEqual(found, [])
})

test('lists statuses and error codes as enums, and headers of requests and responses', () => {
  const { Order, Checkout, Error: refused } = document.components.schemas
  const property = (schema: JsonObject | undefined, name: string) =>
    ((schema?.properties ?? {}) as Record<string, JsonObject>)[name]
  for (const schema of [Order, Checkout])
    assert.deepEqual(property(schema, 'status')?.enum, Object.values(paymentStatus))
  const codes = property(refused, 'code')?.enum as number[]
  for (const { code } of [errors.order_conflict, errors.bad_key, errors.internal]) assert.ok(codes.includes(code))
  for (const { operation } of calls) {
    const sent = operation.parameters.filter(each => each.in === 'header').map(each => each.name)
    const route = Object.entries(operations).find(
      ([, { id }]) => id === operation.operationId,
    )![0] as keyof typeof routes
    assert.deepEqual(
      sent,
      needsIdempotencyKey(route, routes[route]) ? ['Idempotency-Key', 'X-Language'] : ['X-Language'],
    )
    assert.ok(operation.responses['429']?.headers?.['Retry-After'])
    assert.ok(operation.responses['200']?.headers?.['X-RateLimit-Remaining'])
  }
})

test('names the union of webhook events, each of which is one of them, and the event of the stream', () => {
  assert.deepEqual(document.components.schemas.WebhookEvent?.oneOf, [
    { $ref: '#/components/schemas/PaymentEvent' },
    { $ref: '#/components/schemas/WithdrawalEvent' },
    { $ref: '#/components/schemas/RefundEvent' },
    { $ref: '#/components/schemas/DepositEvent' },
    { $ref: '#/components/schemas/TestEvent' },
  ])
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const [union, narrowed] = (post.requestBody?.content['application/json']?.schema.allOf ?? []) as JsonObject[]
    assert.deepEqual(union, { $ref: '#/components/schemas/WebhookEvent' })
    assert.equal(((narrowed?.properties ?? {}) as Record<string, JsonObject>).type?.const, type)
  }
  const stream = of('GET /api/v1/checkout/:trade_no/events')?.responses['200']?.content?.['text/event-stream']
  assert.deepEqual(stream?.schema, { $ref: '#/components/schemas/CheckoutEvent' })
})
