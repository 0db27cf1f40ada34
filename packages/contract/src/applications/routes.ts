import { z } from 'zod'
import { merchantRateFailures, rateSources } from '../codes/applications.ts'
import { keyOverlapSeconds, selectableEvents } from '../codes.ts'
import { describeField } from '../kit/describe.ts'
import { limits } from '../kit/limits.ts'
import { everyRole, integratingRoles, integrationReadingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  amount,
  booleanText,
  currencyCode,
  decimalAmount,
  emptyObject,
  id,
  ipOrRange,
  jsonPath,
  listOf,
  optionalText,
  origin,
  paging,
  proof,
  requiredLine,
  spreadPercent,
  unixSeconds,
  url,
  urlOrEmpty,
} from '../kit/schemas.ts'

/** The settings of an application. */
const settings = {
  name: requiredLine(limits.applicationNameMax),
  logo: optionalText(200),
  payment_logo: optionalText(200),
  website: urlOrEmpty,
  notify_url: urlOrEmpty,
  payment_mode: z.int().min(1).max(2),
  /** Mixed payment: also accepts other tokens than the requested one, at the rate locked for the payment. */
  mixed_payment: z.boolean(),
  /** Underpayment up to which a payment counts as paid, in thousandths of the requested amount. */
  tolerance_permille: z.int().min(0).max(50),
  ip_whitelist_enabled: z.boolean(),
  ip_whitelist: z.array(ipOrRange).max(limits.ipWhitelistMax),
  /** Events that are sent to the notify URL. */
  callback_events: z.array(z.enum(selectableEvents)).min(1).max(selectableEvents.length),
  /** Whether the key may read. */
  read_allowed: z.boolean(),
  /** Whether the key may make and close orders, payment links and addresses. */
  orders_allowed: z.boolean(),
  /** Whether the key may refund; needs an enabled whitelist. */
  refunds_allowed: z.boolean(),
  /** Whether the key may request withdrawals; needs an enabled whitelist. */
  payouts_allowed: z.boolean(),
  /** Whether the key may mark orders as paid for which nothing was received. */
  marks_allowed: z.boolean(),
  /** Whether the key may change where callbacks go, and which. */
  settings_allowed: z.boolean(),
  /** Whether the key may list, invite and remove members; needs an enabled whitelist. */
  members_allowed: z.boolean(),
  /** Whether a key from before scopes manages webhook endpoints without `settings_allowed`. */
  endpoints_allowed: z.boolean(),
  /** Origins whose pages may show checkouts in a frame. */
  embed_origins: z.array(origin).max(limits.embedOriginsMax),
  remark: optionalText(200),
}

export const application = z.object({
  appid: z.string().meta(describeField({ en: 'ID of the application', 'zh-CN': '应用的 ID' })),
  name: z
    .string()
    .meta(describeField({ en: 'Name, shown to payers as the payee', 'zh-CN': '名称，即付款人看到的收款方' })),
  status: z.int().describe('See applicationStatus'),
  key: z.string().describe('The secret key, masked'),
  logo: z.string(),
  payment_logo: z.string(),
  website: z.string().meta(describeField({ en: 'Website, or empty', 'zh-CN': '网站，可为空' })),
  notify_url: z
    .string()
    .meta(
      describeField({ en: 'URL that receives callbacks; empty for none', 'zh-CN': '接收回调的地址；为空则不发送' }),
    ),
  payment_mode: z.int().meta(
    describeField({
      en: '1: each order has an address of its own; 2: orders share one',
      'zh-CN': '1 每笔订单使用独立地址；2 订单共用一个地址',
    }),
  ),
  mixed_payment: z.boolean().meta(
    describeField({
      en: 'Whether other tokens of the chain count towards an order',
      'zh-CN': '该链的其他代币是否计入订单',
    }),
  ),
  tolerance_permille: z.int().meta(
    describeField({
      en: 'Shortfall up to which orders count as paid, in thousandths of the requested amount',
      'zh-CN': '少付多少以内仍视为已支付，以请求金额的千分之一为单位',
    }),
  ),
  ip_whitelist_enabled: z.boolean(),
  ip_whitelist: z.array(z.string()),
  callback_events: z
    .array(z.enum(selectableEvents))
    .meta(describeField({ en: 'Events that are sent to the notify URL', 'zh-CN': '发送到回调地址的事件' })),
  read_allowed: z.boolean().meta(describeField({ en: 'Whether the key may read', 'zh-CN': '密钥是否可以查询' })),
  orders_allowed: z.boolean().meta(
    describeField({
      en: 'Whether the key may make orders, payment links and addresses',
      'zh-CN': '密钥是否可以创建订单、收款链接和地址',
    }),
  ),
  refunds_allowed: z
    .boolean()
    .meta(describeField({ en: 'Whether the key may refund', 'zh-CN': '密钥是否可以发起退款' })),
  payouts_allowed: z
    .boolean()
    .meta(describeField({ en: 'Whether the key may request withdrawals', 'zh-CN': '密钥是否可以发起提现' })),
  marks_allowed: z
    .boolean()
    .meta(describeField({ en: 'Whether the key may mark orders as paid', 'zh-CN': '密钥是否可以将订单标记为已支付' })),
  settings_allowed: z
    .boolean()
    .meta(describeField({ en: 'Whether the key may change settings', 'zh-CN': '密钥是否可以修改设置' })),
  members_allowed: z
    .boolean()
    .optional()
    .meta(
      describeField({
        en: 'Whether the key may invite and remove members; absent if not',
        'zh-CN': '密钥是否可以邀请和移除成员；不可时不返回该字段',
      }),
    ),
  endpoints_allowed: z.boolean().meta(
    describeField({
      en: 'Whether the key, from before scopes, manages webhook endpoints',
      'zh-CN': '密钥（权限细分前创建）是否可以管理 Webhook 端点',
    }),
  ),
  embed_origins: z.array(z.string()).meta(
    describeField({
      en: 'Origins whose pages may show checkouts in a frame',
      'zh-CN': '允许在框架中显示收银台的页面来源',
    }),
  ),
  remark: z.string().meta(describeField({ en: 'Your note', 'zh-CN': '您的备注' })),
  created_time: unixSeconds.meta(describeField({ en: 'When the application was created', 'zh-CN': '应用创建时间' })),
  previous_key: z.string().describe('The replaced secret key, masked; empty if none is valid'),
  previous_key_until: unixSeconds.describe('When the replaced secret key ends; 0 if none is valid'),
  previous_webhook_until: unixSeconds.describe('Until when the replaced webhook secret signs too; 0 if it does not'),
})

/**
 * How orders of an application are priced. A rate is in units of a fiat currency for one USDT, or in USDT for one
 * token.
 */
const rates = {
  spread: spreadPercent.describe('Percent added to the price of orders in a fiat currency'),
  sources: z
    .array(z.enum(rateSources))
    .min(1)
    .refine(list => new Set(list).size === list.length)
    .describe(
      'Sources in the order in which they are used. A currency without a rate in any of them has the market price',
    ),
  fixed: z.array(z.strictObject({ currency: currencyCode, rate: amount })).max(limits.fixedRatesMax),
  own: z
    .array(z.strictObject({ currency: currencyCode, url, path: jsonPath }))
    .max(limits.ownRatesMax)
    .describe('Rates read once a minute from JSON at a URL'),
}

/** How orders of an application are priced, as it is stored. */
export type ApplicationRates = { [key in keyof typeof rates]: z.output<(typeof rates)[key]> }

/** An application as its own key sees it. */
export const ownApplication = application
  .omit({
    status: true,
    key: true,
    logo: true,
    payment_logo: true,
    ip_whitelist_enabled: true,
    ip_whitelist: true,
    previous_key: true,
    previous_key_until: true,
    previous_webhook_until: true,
  })
  .meta({ id: 'Application', description: 'The application of the key' })

/**
 * What a key may change: where its own callbacks go. Never who may do what, what payers see, or what counts as paid.
 */
const keySettings = z
  .strictObject({
    notify_url: settings.notify_url.meta(
      describeField({ en: 'URL that receives callbacks; empty for none', 'zh-CN': '接收回调的地址；为空则不发送' }),
    ),
    callback_events: settings.callback_events.meta(
      describeField({ en: 'Events that are sent to the notify URL', 'zh-CN': '发送到回调地址的事件' }),
    ),
    remark: settings.remark.meta(describeField({ en: 'Your note', 'zh-CN': '您的备注' })),
  })
  .partial()
  .meta({ id: 'ApplicationChanges', description: 'What changes of the application' })

const target = z.enum(['secret_key', 'webhook_secret'])

const secrets = z.object({
  appid: z.string(),
  secret_key: z.string().optional().describe('sk_test_... or sk_live_..., shown only once'),
  webhook_secret: z.string().optional().describe('whsec_..., shown only once'),
})

const selectRow = z.object({
  appid: z.string(),
  name: z.string(),
  status: z.int(),
  collects: z.boolean().describe('Whether it is the application of Collect, which needs no developer'),
})

export const applicationRoutes = defineRoutes({
  'GET /api/v1/user/secret-key': {
    who: integrationReadingRoles,
    summary: 'Get an application',
    query: z.strictObject({ appid: id }),
    data: application,
  },
  'POST /api/v1/user/secret-key': {
    who: integratingRoles,
    summary: 'Create an application; its two secrets are shown only once',
    body: z
      .strictObject({ ...settings, proof: proof.optional() })
      .partial()
      .required({ name: true }),
    data: secrets.required(),
  },
  'PUT /api/v1/user/secret-key': {
    who: integratingRoles,
    summary:
      'Edit, enable (1) or disable (2) an application. Changes to what payers see, what counts as paid or who may use the key, and enabling, need a fresh proof',
    body: z
      .strictObject({ appid: id, ...settings, status: z.int().min(1).max(2), proof })
      .omit({ notify_url: true })
      .partial()
      .required({ appid: true }),
    data: emptyObject,
  },
  'DELETE /api/v1/user/secret-key': {
    who: integratingRoles,
    summary: 'Delete an application: revokes its key immediately, keeps its records',
    body: z.strictObject({ appid: id, proof: proof.optional() }),
    data: emptyObject,
  },
  'GET /api/v1/user/secret-key/list': {
    who: integrationReadingRoles,
    summary: 'List applications, newest first',
    query: z.strictObject({ ...paging, all: booleanText, name: optionalText(64).optional() }),
    data: listOf(application),
  },
  'GET /api/v1/user/secret-key/select': {
    who: everyRole,
    summary: 'List applications for selection',
    data: z.object({ list: z.array(selectRow) }),
  },
  'PUT /api/v1/user/secret-key/notify-url': {
    who: integratingRoles,
    summary: 'Change the notify URL',
    body: z.strictObject({ appid: id, notify_url: urlOrEmpty, proof: proof.optional() }),
    data: emptyObject,
  },
  'GET /api/v1/user/secret-key/rates': {
    who: integrationReadingRoles,
    summary: 'Get how orders of an application are priced, and what its own sources last gave',
    query: z.strictObject({ appid: id }),
    data: z.object({
      ...rates,
      readings: z.array(
        z.object({
          currency: z.string(),
          rate: decimalAmount.describe('The last rate that was read and plausible; empty before the first'),
          time: unixSeconds.describe('When it was read; 0 before the first'),
          failure: z.enum(['', ...merchantRateFailures]).describe('Why the last reading gave none'),
        }),
      ),
    }),
  },
  'PUT /api/v1/user/secret-key/rates': {
    who: integratingRoles,
    summary:
      'Change how new orders of an application are priced; needs a fresh proof. Existing orders keep their rates',
    body: z.strictObject({ appid: id, ...rates, proof: proof.optional() }),
    data: emptyObject,
  },
  'PUT /api/v1/user/secret-key/refresh-google-secret': {
    who: integratingRoles,
    summary:
      'Replace the secret key or the webhook secret of an application; needs a fresh proof. The old key stays valid for `keep_seconds`, by default not at all; both webhook secrets sign for 24 hours',
    body: z.strictObject({
      appid: id,
      target,
      keep_seconds: z.union(keyOverlapSeconds.map(seconds => z.literal(seconds))).optional(),
      proof: proof.optional(),
    }),
    data: secrets,
  },
  'DELETE /api/v1/user/secret-key/previous': {
    who: integratingRoles,
    summary: 'End a replaced secret key or webhook secret now; needs a fresh proof',
    body: z.strictObject({ appid: id, target, proof: proof.optional() }),
    data: emptyObject,
  },
  'GET /api/v1/pay/application': {
    auth: 'key',
    scope: 'read',
    summary: { en: 'Get the settings of the application', 'zh-CN': '查询应用设置' },
    docs: { id: 'getApplication', tag: 'Account', errors: [] },
    data: ownApplication,
  },
  'POST /api/v1/pay/application': {
    auth: 'key',
    scope: 'settings',
    summary: {
      en: 'Change the notify URL, its events or the note of the application',
      'zh-CN': '修改应用的回调地址、回调事件或备注',
    },
    docs: {
      id: 'changeApplication',
      tag: 'Account',
      errors: ['parameter_error', 'bad_url', 'url_forbidden', 'https_needed', 'settings_not_allowed'],
    },
    body: keySettings,
    data: ownApplication,
  },
  'GET /api/v1/user/application-list': {
    who: everyRole,
    summary: 'List applications that have records, including deleted ones, for filters',
    data: z.object({ list: z.array(selectRow) }),
  },
})
