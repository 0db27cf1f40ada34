import { z } from 'zod'
import { keyOverlapSeconds, selectableEvents } from '../codes.ts'
import { describeField } from '../kit/describe.ts'
import { integratingRoles, integrationReadingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import { emptyObject, id, optionalText, proof, unixSeconds, url } from '../kit/schemas.ts'

/** A further receiver of an application's events, beside its notify URL. */
export const webhookEndpoint = z
  .object({
    id: z.string().meta(describeField({ en: 'ID of the endpoint', 'zh-CN': '端点的 ID' })),
    url: z.string().meta(describeField({ en: 'URL that receives the events', 'zh-CN': '接收事件的地址' })),
    description: z.string().meta(describeField({ en: 'Your note', 'zh-CN': '您的备注' })),
    events: z
      .array(z.enum(selectableEvents))
      .meta(describeField({ en: 'Types of the events that are sent', 'zh-CN': '发送的事件类型' })),
    enabled: z.boolean().meta(describeField({ en: 'Whether events are sent', 'zh-CN': '是否发送事件' })),
    previous_secret_until: unixSeconds.meta(
      describeField({
        en: 'Until when the replaced secret signs too; 0 if it does not',
        'zh-CN': '旧密钥参与签名的截止时间；不再参与时为 0',
      }),
    ),
    created_time: unixSeconds.meta(describeField({ en: 'When the endpoint was created', 'zh-CN': '端点创建时间' })),
  })
  .meta({ id: 'WebhookEndpoint', description: 'A receiver of the application’s events, beside its notify URL' })

const secret = z.string().meta(
  describeField({
    en: 'Secret that signs its callbacks, `whsec_...`: shown only in this answer',
    'zh-CN': '其回调的签名密钥 `whsec_...`，仅在本次响应中显示',
  }),
)
const withSecret = z.object({
  endpoint: webhookEndpoint.meta(describeField({ en: 'The endpoint', 'zh-CN': '端点' })),
  secret,
})

const given = {
  url: url.meta(describeField({ en: 'URL that receives the events', 'zh-CN': '接收事件的地址' })),
  description: optionalText(200).meta(describeField({ en: 'Your note', 'zh-CN': '您的备注' })),
  events: z
    .array(z.enum(selectableEvents))
    .min(1)
    .max(selectableEvents.length)
    .meta(
      describeField({ en: 'Types of the events that are sent; by default all', 'zh-CN': '发送的事件类型；默认全部' }),
    ),
}
const overlap = {
  keep_seconds: z
    .union(keyOverlapSeconds.map(seconds => z.literal(seconds)))
    .optional()
    .meta(
      describeField({
        en: 'For how long the replaced secret signs too; by default 86400',
        'zh-CN': '旧密钥继续参与签名的秒数；默认 86400',
      }),
    ),
}
const newEndpoint = z
  .strictObject({ ...given, description: given.description.default(''), events: given.events.optional() })
  .meta({ id: 'NewWebhookEndpoint', description: 'A webhook endpoint to create' })
const changes = z
  .strictObject({
    ...given,
    enabled: z.boolean().meta(describeField({ en: 'Whether events are sent', 'zh-CN': '是否发送事件' })),
  })
  .partial()
  .meta({ id: 'WebhookEndpointChanges', description: 'What changes of a webhook endpoint' })
const params = z.strictObject({
  id: id.meta(
    describeField({
      en: 'ID of the endpoint',
      'zh-CN': '平台单号（查询时也可为 `out:` 加商户单号），或回调、端点、收款链接的 ID',
    }),
  ),
})
const notFound = ['parameter_error', 'webhook_endpoint_not_exist'] as const
const urlErrors = ['bad_url', 'url_forbidden', 'https_needed', 'webhook_endpoint_exists'] as const

/** Names an endpoint of an application, with a fresh proof. */
const named = { appid: id, id, proof: proof.optional() }

export const webhookEndpointRoutes = defineRoutes({
  'GET /api/v1/user/webhook-endpoint/list': {
    who: integrationReadingRoles,
    summary: 'List the webhook endpoints of an application, newest first',
    query: z.strictObject({ appid: id }),
    data: z.object({ list: z.array(webhookEndpoint) }),
  },
  'POST /api/v1/user/webhook-endpoint': {
    who: integratingRoles,
    summary: 'Add a webhook endpoint, which receives events beside the notify URL; needs a fresh proof',
    body: newEndpoint.extend({ appid: id, proof: proof.optional() }),
    data: withSecret,
  },
  'PUT /api/v1/user/webhook-endpoint': {
    who: integratingRoles,
    summary: 'Change a webhook endpoint, or turn it on or off; needs a fresh proof',
    body: changes.extend(named),
    data: webhookEndpoint,
  },
  'PUT /api/v1/user/webhook-endpoint/secret': {
    who: integratingRoles,
    summary: 'Renew the secret of a webhook endpoint; needs a fresh proof. The old one signs too for `keep_seconds`',
    body: z.strictObject({ ...named, ...overlap }),
    data: withSecret,
  },
  'POST /api/v1/user/webhook-endpoint/test': {
    who: integratingRoles,
    summary: 'Send a test.ping to a webhook endpoint',
    body: z.strictObject({ appid: id, id }),
    data: z.object({ id: z.string() }),
  },
  'DELETE /api/v1/user/webhook-endpoint': {
    who: integratingRoles,
    summary: 'Remove a webhook endpoint. Nothing more is sent to it; needs a fresh proof',
    body: z.strictObject(named),
    data: emptyObject,
  },
  'GET /api/v1/pay/webhook-endpoints': {
    auth: 'key',
    scope: 'read',
    summary: {
      en: 'List the webhook endpoints of the application, newest first',
      'zh-CN': '查询应用的 Webhook 端点，最新的在前',
    },
    docs: { id: 'listWebhookEndpoints', tag: 'Callbacks', errors: [] },
    data: z.object({
      list: z
        .array(webhookEndpoint)
        .meta(describeField({ en: 'The endpoints, at most 10', 'zh-CN': '端点，最多 10 个' })),
    }),
  },
  'POST /api/v1/pay/webhook-endpoints': {
    auth: 'key',
    scope: 'settings',
    beforeScopes: true,
    summary: {
      en: 'Create a webhook endpoint, which receives events beside the notify URL',
      'zh-CN': '创建 Webhook 端点，与回调地址分别接收事件',
    },
    docs: {
      id: 'createWebhookEndpoint',
      tag: 'Callbacks',
      errors: ['parameter_error', ...urlErrors, 'limit_reached'],
    },
    body: newEndpoint,
    data: withSecret,
  },
  'POST /api/v1/pay/webhook-endpoints/:id': {
    auth: 'key',
    scope: 'settings',
    beforeScopes: true,
    summary: {
      en: 'Change a webhook endpoint: its URL, events or note, or turn it on or off',
      'zh-CN': '修改 Webhook 端点的地址、事件或备注，或启用、停用',
    },
    docs: { id: 'changeWebhookEndpoint', tag: 'Callbacks', errors: [...notFound, ...urlErrors] },
    params,
    body: changes,
    data: webhookEndpoint,
  },
  'POST /api/v1/pay/webhook-endpoints/:id/renew': {
    auth: 'key',
    scope: 'settings',
    beforeScopes: true,
    summary: {
      en: 'Renew the secret of a webhook endpoint. The old one signs too for a while',
      'zh-CN': '更新 Webhook 端点的密钥，旧密钥在一段时间内继续参与签名',
    },
    docs: { id: 'renewWebhookEndpoint', tag: 'Callbacks', errors: notFound },
    params,
    body: z.strictObject(overlap).optional(),
    data: withSecret,
  },
  'POST /api/v1/pay/webhook-endpoints/:id/test': {
    auth: 'key',
    scope: 'settings',
    beforeScopes: true,
    summary: { en: 'Send a test.ping to a webhook endpoint', 'zh-CN': '向 Webhook 端点发送 test.ping' },
    docs: { id: 'testWebhookEndpoint', tag: 'Callbacks', errors: notFound },
    params,
    body: emptyObject.optional(),
    data: z.object({ id: z.string().meta(describeField({ en: 'ID of the callback', 'zh-CN': '回调的 ID' })) }),
  },
  'POST /api/v1/pay/webhook-endpoints/:id/remove': {
    auth: 'key',
    scope: 'settings',
    beforeScopes: true,
    summary: {
      en: 'Remove a webhook endpoint. Nothing more is sent to it',
      'zh-CN': '移除 Webhook 端点，此后不再向其发送',
    },
    docs: { id: 'removeWebhookEndpoint', tag: 'Callbacks', errors: notFound },
    params,
    body: emptyObject.optional(),
    data: emptyObject,
  },
})
