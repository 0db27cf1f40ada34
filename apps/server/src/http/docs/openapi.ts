import { callbackEvents, type ErrorName, errors, languages, type RouteDefinition, routes } from '@coffer/contract'
import { paymentWebhook, testWebhook } from '@coffer/contract/webhooks.ts'
import type { z } from 'zod'
import { paidEvent } from './examples.ts'
import { type Documented, type DocumentedKey, errorsOf, operations } from './operations.ts'
import { type Json, Schemas } from './schemas.ts'

const entries = Object.entries(operations) as [DocumentedKey, Documented][]

/** What others' programs call and get, as an OpenAPI 3.1 document made from the contract: what is checked is what it says. */
export function openApi(publicUrl: string): Json {
  const schemas = new Schemas()
  const paths: Record<string, Json> = {}
  for (const [key, documented] of entries) {
    const [method = '', url = ''] = key.split(' ')
    const path = url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(schemas, routes[key], documented, publicUrl) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Coffer', version: '1', summary: 'Collect crypto payments', description: about },
    servers: [{ url: publicUrl }],
    externalDocs: { url: `${publicUrl}/docs`, description: 'Documentation for developers' },
    tags: [
      { name: 'Orders', description: 'For the merchant’s server, with the secret key of an application' },
      { name: 'Account', description: 'What can be paid in, and what the merchant owns' },
      { name: 'Checkout', description: 'For the payer: whoever has the link of a payment, and no key' },
      { name: 'Callbacks', description: 'What the merchant’s server is told; Standard Webhooks' },
    ],
    paths,
    webhooks: Object.fromEntries(callbackEvents.map(type => [type, { post: webhook(schemas, type, publicUrl) }])),
    components: {
      schemas: { ...schemas.components, Error: errorSchema },
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The secret key of an application: sk_live_... or sk_test_...',
        },
      },
    },
  }
}

const about = `Amounts are decimal strings, never numbers. Times are unix seconds; 0 is none.
An answer is \`{"code": 200, "data": ...}\`; with any other code nothing happened, \`msg\` says why in the language of \`X-Language\`
(${Object.values(languages)
  .map(({ tag }) => tag)
  .join(' or ')}), and \`field\` names the input that was refused.`

const errorSchema: Json = {
  type: 'object',
  description: 'A refusal: nothing happened',
  required: ['code', 'msg'],
  properties: {
    code: { type: 'integer', description: 'Of the error catalogue; never changes its meaning' },
    msg: { type: 'string', description: 'What a person may read, in the language of X-Language' },
    field: { type: 'string', description: 'The input that was refused' },
  },
}

function operation(schemas: Schemas, route: RouteDefinition, documented: Documented, publicUrl: string): Json {
  const { summary, auth, params, query, body, data, kind, submission } = route
  const answer = documented.answer?.(publicUrl)
  return {
    operationId: documented.id,
    tags: [documented.tag],
    summary,
    security: auth === 'key' ? [{ secretKey: [] }] : [],
    parameters: [
      ...parameters(schemas, params, 'path'),
      ...parameters(schemas, query, 'query'),
      ...(submission && auth === 'key' ? [idempotencyKey] : []),
    ],
    ...(body && {
      requestBody: {
        required: documented.body !== undefined,
        content: json(schemas.input(body), documented.body),
      },
    }),
    responses: {
      200: {
        description: 'Done',
        content:
          kind === 'events'
            ? { 'text/event-stream': { schema: schemas.output(data) } }
            : json(envelope(schemas.output(data)), answer && { code: 200, data: answer }),
      },
      ...refusals(errorsOf(documented, route)),
    },
  }
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key and request give the first answer again, for two days',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const envelope = (data: Json): Json => ({
  type: 'object',
  required: ['code', 'data'],
  properties: { code: { const: 200 }, data },
})

const json = (schema: Json, example?: unknown): Json => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})

function parameters(schemas: Schemas, schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, part]) => {
    const { description, ...rest } = schemas.input(part as z.ZodType)
    return { name, in: place, required: place === 'path', ...(description ? { description } : {}), schema: rest }
  })
}

/** One answer for each HTTP status, with an example for each error. */
function refusals(names: ErrorName[]): Record<string, Json> {
  const answers: Record<string, Json> = {}
  for (const [status, same] of Map.groupBy(names, name => errors[name].status)) {
    const examples = same.map(name => [name, { value: { code: errors[name].code, msg: errors[name].en } }])
    answers[status] = {
      description: same.map(name => `${errors[name].code} ${errors[name].en}`).join('; '),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: Object.fromEntries(examples) },
      },
    }
  }
  return answers
}

function webhook(schemas: Schemas, type: (typeof callbackEvents)[number], publicUrl: string): Json {
  const isTest = type === 'test.ping'
  const schema = schemas.output(isTest ? testWebhook : paymentWebhook)
  return {
    operationId: `on.${type}`,
    tags: ['Callbacks'],
    summary: isTest ? 'A test from the back-office' : `A payment: ${type}`,
    description: 'Signed as Standard Webhooks says. Sent in order per payment, at least once.',
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: json(
        { ...schema, properties: { ...(schema.properties as Json), type: { const: type } } },
        type === 'payment.paid' ? paidEvent(publicUrl) : undefined,
      ),
    },
    responses: {
      '2XX': { description: 'Confirmed' },
      default: { description: 'Tried again for about three days' },
    },
  }
}
