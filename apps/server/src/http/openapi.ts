import { errors, type RouteDefinition, routes } from '@coffer/contract'
import { z } from 'zod'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}

/** What is documented for the merchant's developer: calls with the secret key, and the payer's. */
const documented = (Object.entries(routes) as [string, RouteDefinition][]).filter(
  ([key, { auth }]) => auth === 'key' || key.includes('/api/v1/checkout/'),
)

/** The merchant API as an OpenAPI 3.1 document, made from the contract: what the server checks is what it says. */
export function openApi(publicUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const [key, route] of documented) {
    const [method = '', url = ''] = key.split(' ')
    const path = url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(key, route) }
  }
  const order = routes['GET /api/v1/pay/orders/:trade_no'].data
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coffer merchant API',
      version: '1',
      description:
        'Amounts are decimal strings, times are unix seconds. A body with a code other than 200 tells what was wrong.',
    },
    servers: [{ url: publicUrl }],
    paths,
    webhooks: {
      payment: {
        post: {
          summary: 'Sent to the notify URL when a payment changes; signed as the Standard Webhooks specification says',
          requestBody: jsonBody({
            type: 'object',
            required: ['type', 'timestamp', 'data'],
            properties: { type: { type: 'string' }, timestamp: { type: 'string' }, data: schemaOf(order, 'output') },
          }),
          responses: {
            '200': { description: 'Any 2xx confirms it. Anything else is tried again for about three days.' },
          },
        },
      },
    },
    components: {
      securitySchemes: { secretKey: { type: 'http', scheme: 'bearer', description: 'sk_live_... or sk_test_...' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'msg'],
          properties: {
            code: { type: 'integer', enum: Object.values(errors).map(error => error.code) },
            msg: { type: 'string', description: 'In the language of X-Language' },
            field: { type: 'string', description: 'The field that is wrong' },
          },
        },
      },
    },
  }
}

function operation(key: string, { summary, auth, params, query, body, data, kind, submission }: RouteDefinition): Json {
  const ok = {
    type: 'object',
    required: ['code', 'data'],
    properties: { code: { const: 200 }, data: schemaOf(data, 'output') },
  }
  const answer =
    kind === 'events'
      ? { 'text/event-stream': { schema: schemaOf(data, 'output') } }
      : { 'application/json': { schema: ok } }
  return {
    summary,
    operationId: key.replace(/\W+/g, '_').toLowerCase(),
    ...(auth === 'key' && { security: [{ secretKey: [] }] }),
    parameters: [
      ...parameters(params, 'path'),
      ...parameters(query, 'query'),
      ...(submission && auth === 'key'
        ? [
            {
              name: 'Idempotency-Key',
              in: 'header',
              schema: { type: 'string', maxLength: 255 },
              description: 'The same key and body give the first answer again',
            },
          ]
        : []),
    ],
    ...(body && { requestBody: jsonBody(schemaOf(body, 'input')) }),
    responses: {
      '200': { description: 'Done', content: answer },
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

const jsonBody = (schema: Json): Json => ({ content: { 'application/json': { schema } } })

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  return Object.entries(schema.shape).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: schemaOf(part as z.ZodType, 'input'),
  }))
}
