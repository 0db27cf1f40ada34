import { z } from 'zod'
import { describeField } from '../kit/describe.ts'
import { maxUnixSeconds } from '../kit/limits.ts'
import { collectingRoles, linkReadingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  amount,
  currencyCode,
  cursor,
  decimalAmount,
  emptyObject,
  id,
  integerTextBetween,
  listOf,
  nextCursor,
  optionalText,
  paging,
  requiredLine,
  requiredText,
  timeRange,
  tradeNo,
  unixSeconds,
  validatedText,
  withAllowedHint,
} from '../kit/schemas.ts'
import { isAmount } from '../kit/validators.ts'

/**
 * Whether a link can be paid by. `used`: a link for one payment has been paid. `unavailable`: its application or
 * merchant is not active.
 */
export const paymentLinkStates = ['open', 'used', 'expired', 'disabled', 'unavailable'] as const
export type PaymentLinkState = (typeof paymentLinkStates)[number]

const amountOrEmpty = validatedText(value => value === '' || isAmount(value), 'bad_amount', {
  en: 'empty, or a decimal string above 0 such as "19.90"',
  'zh-CN': '为空，或大于 0 的十进制字符串，例如 "19.90"',
})
  .meta({ pattern: '^(?:(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?)?$', maxLength: 40 })
  .default('')
const token = z.string().regex(/^[A-Za-z0-9_-]{22}$/, { error: 'payment_link_not_exist' })

const link = z.object({
  id: z.string().meta(describeField({ en: 'ID of the link', 'zh-CN': '链接的 ID' })),
  url: z
    .string()
    .meta(describeField({ en: 'Page for payers, who need nothing else', 'zh-CN': '付款页面的网址，付款人只需打开它' })),
  title: z
    .string()
    .meta(describeField({ en: 'What is paid for, as the payer sees it', 'zh-CN': '收款事由，向付款人显示' })),
  appid: z.string().meta(describeField({ en: 'ID of the application', 'zh-CN': '应用的 ID' })),
  apply_name: z.string(),
  currency: z.string().meta(describeField({ en: 'Currency of the amounts', 'zh-CN': '金额的货币' })),
  amount: decimalAmount.meta(
    describeField({
      en: 'Amount of each payment; empty where the payer enters it',
      'zh-CN': '每次付款的金额；由付款人填写时为空',
    }),
  ),
  min_amount: decimalAmount.meta(
    describeField({ en: 'Minimum amount to enter, or empty', 'zh-CN': '可填写的最低金额，可为空' }),
  ),
  max_amount: decimalAmount.meta(
    describeField({ en: 'Maximum amount to enter, or empty', 'zh-CN': '可填写的最高金额，可为空' }),
  ),
  once: z.boolean().meta(describeField({ en: 'Whether the link takes one payment only', 'zh-CN': '是否只收一笔付款' })),
  state: z.enum(paymentLinkStates),
  paid: z
    .int()
    .meta(describeField({ en: 'Paid payments, counted up to 1,000', 'zh-CN': '已支付的笔数，最多计到 1,000' })),
  expire_time: unixSeconds.meta(
    describeField({ en: 'When the link expires; 0 for never', 'zh-CN': '过期时间；0 表示永不过期' }),
  ),
  created_time: unixSeconds.meta(describeField({ en: 'When the link was created', 'zh-CN': '创建时间' })),
})

/** What a link is created of. */
const newLink = z.strictObject({
  title: requiredLine(100).meta(
    describeField({ en: 'What is paid for, as the payer sees it', 'zh-CN': '收款事由，向付款人显示' }),
  ),
  currency: currencyCode.default('USDT').meta(
    describeField({
      en: 'USDT, another token such as ETH or USDC, or a fiat currency such as USD, EUR or CNY; by default USDT',
      'zh-CN': 'USDT、ETH 或 USDC 等其他代币，或 USD、EUR、CNY 等法币；默认 USDT',
    }),
  ),
  amount: amountOrEmpty.meta(
    describeField({
      en: 'Amount of each payment in `currency`; empty, as by default: the payer enters it',
      'zh-CN': '以 `currency` 计价的每次付款金额；为空（默认）时由付款人填写',
    }),
  ),
  min_amount: amountOrEmpty.meta(
    describeField({
      en: 'Minimum amount to enter, for a link without an amount; by default none',
      'zh-CN': '未指定金额的链接可填写的最低金额；默认不限',
    }),
  ),
  max_amount: amountOrEmpty.meta(
    describeField({ en: 'Maximum amount to enter, likewise', 'zh-CN': '未指定金额的链接可填写的最高金额；默认不限' }),
  ),
  once: z
    .boolean()
    .default(false)
    .meta(
      describeField({
        en: 'Whether the link takes one payment only; by default false',
        'zh-CN': '是否只收一笔付款；默认 false',
      }),
    ),
  expire_time: withAllowedHint(z.int().min(0).max(maxUnixSeconds), {
    en: 'a time in Unix seconds, or 0 for never',
    'zh-CN': 'Unix 时间（秒），0 表示永不过期',
  })
    .default(0)
    .meta(
      describeField({
        en: 'When the link expires; 0, as by default, for never',
        'zh-CN': '过期时间；0（默认）表示永不过期',
      }),
    ),
})

export const paymentLinkRoutes = defineRoutes({
  'GET /api/v1/payment-link': {
    who: linkReadingRoles,
    replica: true,
    summary: 'List payment links, newest first',
    query: z.strictObject({
      ...paging,
      active: integerTextBetween(0, 1).optional(),
      text: requiredText(64).optional(),
    }),
    data: listOf(link),
  },
  'POST /api/v1/payment-link': {
    who: collectingRoles,
    summary:
      'Create a payment link. Without an application it belongs to the one called Collect, which is created if needed',
    body: newLink.extend({ appid: id.optional() }),
    data: link,
  },
  'GET /api/v1/collect': {
    who: collectingRoles,
    summary: 'List the payments of the counter of the last two hours, newest first, at most 20',
    data: z.object({
      list: z.array(
        z.object({
          trade_no: z.string(),
          note: z.string(),
          amount: decimalAmount,
          currency: z.string(),
          status: z.int(),
          partial: z.boolean().describe('Whether some of it, and not all, has been seen'),
          created_time: unixSeconds,
        }),
      ),
    }),
  },
  'POST /api/v1/collect': {
    who: collectingRoles,
    summary: 'Create a payment at the counter, in the application called Collect',
    body: z.strictObject({
      amount,
      currency: currencyCode.default('USDT'),
      note: optionalText(100).default(''),
    }),
    data: z.object({ trade_no: z.string(), pay_url: z.string() }),
  },
  'POST /api/v1/collect/cancel': {
    who: collectingRoles,
    summary: 'Close a payment of the counter for which nothing has been paid',
    body: z.strictObject({ trade_no: tradeNo }),
    data: emptyObject,
  },
  'GET /api/v1/public/payment-link/:token': {
    auth: 'public',
    summary: 'Get a payment link as a payer sees it',
    params: z.strictObject({ token }),
    data: link
      .pick({ title: true, currency: true, amount: true, min_amount: true, max_amount: true, once: true, state: true })
      .extend({ merchant_name: z.string(), logo: z.string(), sandbox: z.boolean() }),
  },
  'POST /api/v1/public/payment-link/:token': {
    auth: 'public',
    summary: 'Open a payment by a link. A link for one payment leads every payer to the same one',
    params: z.strictObject({ token }),
    body: z.strictObject({ amount: amount.optional() }),
    data: z.object({ trade_no: z.string() }),
  },
  'POST /api/v1/payment-link/disable': {
    who: collectingRoles,
    summary: 'Disable a payment link for good. Payments that it has opened stay',
    body: z.strictObject({ id }),
    data: emptyObject,
  },
})

const linkOfKey = link
  .omit({ apply_name: true })
  .extend({
    state: z.enum(['open', 'used', 'expired', 'closed', 'unavailable']).meta(
      describeField({
        en: 'used: its one payment was received; closed: by you; unavailable: application or account is not active',
        'zh-CN':
          'open 可付款；used 只收一笔的链接已收款；expired 已过期；closed 已由您关闭；unavailable 应用或账户当前不可用',
      }),
    ),
  })
  .meta({ id: 'PaymentLink', description: 'A link by which payers create orders' })
const ofLink = z.strictObject({
  id: id.meta(
    describeField({
      en: 'ID of the link',
      'zh-CN': '平台单号（查询时也可为 `out:` 加商户单号），或回调、端点、收款链接的 ID',
    }),
  ),
})
const notFound = ['parameter_error', 'payment_link_not_exist'] as const

/** Payment links for a merchant's server: a key has those of its application. */
export const paymentLinkKeyRoutes = defineRoutes({
  'POST /api/v1/pay/links': {
    auth: 'key',
    scope: 'orders',
    summary: {
      en: 'Create a payment link: each payer who opens it gets an order of the application',
      'zh-CN': '创建收款链接，每位付款人打开后生成一笔应用的订单',
    },
    docs: {
      id: 'createLink',
      tag: 'Orders',
      errors: ['parameter_error', 'text_needed', 'bad_amount', 'amount_out_of_range', 'currency_not_supported'],
    },
    body: newLink.meta({ id: 'NewPaymentLink', description: 'A payment link to create' }),
    data: linkOfKey,
  },
  'GET /api/v1/pay/links': {
    auth: 'key',
    scope: 'read',
    summary: {
      en: 'List the payment links of the application, newest first',
      'zh-CN': '查询应用的收款链接，最新的在前',
    },
    docs: { id: 'listLinks', tag: 'Orders', errors: ['parameter_error'] },
    query: z.strictObject({
      ...timeRange,
      pageSize: paging.pageSize,
      cursor: cursor.meta(
        describeField({
          en: '`next_cursor` of the page before. Send the same filters',
          'zh-CN': '上一次响应的 `next_cursor`，代替 `current`：新数据不会使分页错位。请使用相同的筛选条件',
        }),
      ),
    }),
    data: z.object({
      list: z.array(linkOfKey).meta(describeField({ en: 'The page', 'zh-CN': '当前页' })),
      next_cursor: nextCursor,
    }),
  },
  'GET /api/v1/pay/links/:id': {
    auth: 'key',
    scope: 'read',
    summary: { en: 'Get a payment link', 'zh-CN': '查询收款链接' },
    docs: { id: 'getLink', tag: 'Orders', errors: notFound },
    params: ofLink,
    data: linkOfKey,
  },
  'POST /api/v1/pay/links/:id/close': {
    auth: 'key',
    scope: 'orders',
    summary: {
      en: 'Close a payment link for good. Orders that it has created stay payable',
      'zh-CN': '永久关闭收款链接，已生成的订单仍可支付',
    },
    docs: { id: 'closeLink', tag: 'Orders', errors: notFound },
    params: ofLink,
    body: emptyObject.optional(),
    data: linkOfKey,
  },
})
