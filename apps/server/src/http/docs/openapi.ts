import {
  callbackEvents,
  type DocumentedRoute,
  type ErrorName,
  errors,
  type Language,
  languages,
  needsIdempotencyKey,
  routes,
} from '@coffer/contract'
import { webhook as webhookEvent } from '@coffer/contract/callbacks/webhooks.ts'
import { describeField } from '@coffer/contract/kit/describe.ts'
import type { z } from 'zod'
import { makePaidEventExample } from './examples.ts'
import { type DocumentedKey, type DocumentedOperation, listOperationErrors, operations } from './operations.ts'
import { type JsonObject, JsonSchemaConverter, localizeDescriptions } from './schemas.ts'

const entries = Object.entries(operations) as [DocumentedKey, DocumentedOperation][]

/**
 * Generates the OpenAPI 3.1 document of the public API from the contract, which also validates requests. Its fields are
 * described in the language, all else in English.
 */
export function buildOpenApiDocument(publicUrl: string, language: Language = 'en'): JsonObject {
  const schemas = new JsonSchemaConverter()
  const paths: Record<string, JsonObject> = {}
  for (const [key, documented] of entries) {
    const [method = '', url = ''] = key.split(' ')
    const path = url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(schemas, key, documented, publicUrl) }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Coffer',
      version: '1',
      summary: 'Accept crypto payments',
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Coffer for developers', url: `${publicUrl}/docs` },
    },
    servers: [{ url: publicUrl }],
    externalDocs: { url: `${publicUrl}/docs`, description: 'Documentation for developers' },
    tags: [
      { name: 'Orders', description: 'Calls from the merchant’s server, with the secret key of an application' },
      { name: 'Payouts', description: 'Withdrawals and refunds, for applications that may pay out' },
      { name: 'Addresses', description: 'Deposit addresses of the merchant’s customers, and what arrives there' },
      { name: 'Account', description: 'Accepted assets and balances' },
      { name: 'Members', description: 'People who work for the shop, for applications that may manage them' },
      { name: 'Checkout', description: 'Calls from the payer’s browser, without a key' },
      { name: 'Callbacks', description: 'Events sent to the merchant’s server, following Standard Webhooks' },
    ],
    paths,
    webhooks: Object.fromEntries(callbackEvents.map(type => [type, { post: webhook(schemas, type, publicUrl) }])),
    components: {
      schemas: { ...schemas.components, Error: errorSchema },
      headers,
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The secret key of an application: sk_live_... or sk_test_...',
        },
      },
    },
  }
  return localizeDescriptions(document, language)
}

const about = `Amounts are decimal strings, never numbers. Times are Unix seconds; 0 means not set.
A successful response is \`{"code": 200, "data": ...}\`. With any other code the call had no effect: \`msg\` explains why,
in the language of \`X-Language\` (${Object.values(languages)
  .map(({ tag }) => tag)
  .join(' or ')}), and \`field\` names the invalid input.`

const errorSchema: JsonObject = {
  type: 'object',
  description: 'The call was refused and had no effect',
  required: ['code', 'msg'],
  properties: {
    code: {
      type: 'integer',
      enum: [...new Set(entries.flatMap(([key]) => listOperationErrors(key)))]
        .map(name => errors[name].code)
        .sort((a, b) => a - b),
      ...describeField({ en: 'Error code; its meaning never changes', 'zh-CN': '错误码，含义不会改变' }),
    },
    msg: {
      type: 'string',
      ...describeField({
        en: 'Message for people, in the language of X-Language',
        'zh-CN': '供人阅读的错误信息，语言由 X-Language 决定',
      }),
    },
    field: { type: 'string', ...describeField({ en: 'Name of the invalid input', 'zh-CN': '有误的字段' }) },
    retry_after: {
      type: 'integer',
      ...describeField({
        en: 'With 429 and 503: seconds to wait before retrying, as in Retry-After',
        'zh-CN': '返回 429 时重试前需等待的秒数，同 Retry-After',
      }),
    },
  },
}

const integer = { type: 'integer' }
const headers: Record<string, JsonObject> = {
  'X-Request-Id': { description: 'Identifies the request in the server’s log', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Requests that a network address may make per minute', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left of them', schema: integer },
  'X-RateLimit-Reset': { description: 'Seconds until they are available again', schema: integer },
  'Retry-After': { description: 'Seconds to wait before retrying', schema: integer },
}
/** References to headers of every response, and to those of a response with this HTTP status. */
const headersOf = (status: number) =>
  Object.fromEntries(
    Object.keys(headers)
      .filter(name => name !== 'Retry-After' || [errors.frequent_operation.status, errors.busy.status].includes(status))
      .map(name => [name, { $ref: `#/components/headers/${name}` }]),
  )

function operation(
  schemas: JsonSchemaConverter,
  key: DocumentedKey,
  documented: DocumentedOperation,
  publicUrl: string,
): JsonObject {
  const route: DocumentedRoute = routes[key]
  const { summary, auth, scope, params, query, body, data, kind } = route
  const answer = documented.answer?.(publicUrl)
  return {
    operationId: documented.id,
    tags: [documented.tag],
    summary: summary.en.split('. ')[0],
    description: scope ? `${summary.en}. Needs the scope \`${scope}\`.` : `${summary.en}.`,
    security: auth === 'key' ? [{ secretKey: [scope] }] : [],
    parameters: [
      ...parameters(schemas, params, 'path'),
      ...parameters(schemas, query, 'query'),
      ...(needsIdempotencyKey(key, route) ? [idempotencyKey] : []),
      xLanguage,
    ],
    ...(body && {
      requestBody: {
        required: documented.body !== undefined,
        content: json(schemas.input(body), documented.body),
      },
    }),
    responses: {
      200: {
        description: 'Success',
        headers: headersOf(200),
        content:
          kind === 'events'
            ? { 'text/event-stream': { schema: schemas.named('CheckoutEvent', eventOf(schemas.output(data))) } }
            : json(envelope(schemas.output(data)), answer && { code: 200, data: answer }),
      },
      ...refusals(listOperationErrors(key)),
    },
  }
}

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  ...describeField({
    en: 'The same key and request return the first response for two days',
    'zh-CN': '两天内，键和请求均相同时返回首次的结果',
  }),
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const xLanguage: JsonObject = {
  name: 'X-Language',
  in: 'header',
  ...describeField({ en: 'Language of messages', 'zh-CN': '错误信息的语言' }),
  schema: { type: 'string', enum: Object.values(languages).map(({ tag }) => tag) },
}

const eventOf = (data: JsonObject): JsonObject => ({
  type: 'object',
  description: 'One server-sent event: unnamed, so it arrives as `message`',
  required: ['data'],
  properties: {
    data: { ...data, ...describeField({ en: 'The payment, as JSON in one line', 'zh-CN': '收款信息，单行 JSON' }) },
    retry: {
      type: 'integer',
      ...describeField({
        en: 'Milliseconds to wait before reconnecting; sent once, at the start',
        'zh-CN': '重新连接前等待的毫秒数；仅在开始时发送一次',
      }),
    },
  },
})

const envelope = (data: JsonObject): JsonObject => ({
  type: 'object',
  required: ['code', 'data'],
  properties: { code: { const: 200, description: 'Success' }, data: { description: 'The result', ...data } },
})

const json = (schema: JsonObject, example?: unknown): JsonObject => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})

function parameters(
  schemas: JsonSchemaConverter,
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
): JsonObject[] {
  return Object.entries(schema?.shape ?? {}).map(([name, part]) => {
    const { description, texts, ...rest } = schemas.input(part as z.ZodType)
    return { name, in: place, required: place === 'path', ...(description ? { description, texts } : {}), schema: rest }
  })
}

/** One response per HTTP status, with an example per error. */
function refusals(names: ErrorName[]): Record<string, JsonObject> {
  const answers: Record<string, JsonObject> = {}
  for (const [status, same] of Map.groupBy(names, name => errors[name].status)) {
    const examples = same.map(name => [name, { value: { code: errors[name].code, msg: errors[name].en } }])
    answers[status] = {
      description: same.map(name => `${errors[name].code} ${errors[name].en}`).join('; '),
      headers: headersOf(status),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: Object.fromEntries(examples) },
      },
    }
  }
  return answers
}

const signature = {
  'webhook-id': 'The same at every attempt: ignore repeated ones',
  'webhook-timestamp': 'Unix seconds of the attempt',
  'webhook-signature': 'Signatures of `id.timestamp.body` with your webhook secret, separated by spaces',
}

function webhook(schemas: JsonSchemaConverter, type: (typeof callbackEvents)[number], publicUrl: string): JsonObject {
  const isTest = type === 'test.ping'
  const event = schemas.output(webhookEvent)
  return {
    operationId: `on.${type}`,
    tags: ['Callbacks'],
    summary: isTest ? 'Test callback from the back-office' : `Event ${type}`,
    description:
      'Signed as specified by Standard Webhooks. Delivered at least once, in order per payment, withdrawal or refund.',
    security: [],
    parameters: Object.entries(signature).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: json(
        { allOf: [event, { type: 'object', properties: { type: { const: type, description: 'Type of the event' } } }] },
        type === 'payment.paid' ? makePaidEventExample(publicUrl) : undefined,
      ),
    },
    responses: {
      '2XX': { description: 'Acknowledged' },
      '4XX': { description: 'Retried for about three days, like any other response' },
      default: { description: 'Retried for about three days' },
    },
  }
}
