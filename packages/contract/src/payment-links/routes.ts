import { z } from 'zod'
import { endOfTime } from '../kit/limits.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  allowing,
  amount,
  currencyCode,
  cursor,
  empty,
  id,
  listOf,
  money,
  nextCursor,
  optionalText,
  paging,
  required,
  requiredLine,
  text,
  timeRange,
  tradeNo,
  unixSeconds,
  wholeText,
} from '../kit/schemas.ts'
import { isAmount } from '../kit/validators.ts'

/**
 * Whether a link can be paid by. `used`: a link for one payment has been paid. `unavailable`: its application or
 * merchant is not active.
 */
export const linkStates = ['open', 'used', 'expired', 'disabled', 'unavailable'] as const
export type LinkState = (typeof linkStates)[number]

/** Key of the metadata that names the link of a payment. */
export const linkMetadata = 'payment_link'

const amountOrEmpty = text(value => value === '' || isAmount(value), 'bad_amount', {
  en: 'empty, or a decimal string above 0 such as "19.90"',
  'zh-CN': '为空，或大于 0 的十进制字符串，例如 "19.90"',
})
  .meta({ pattern: '^(?:(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?)?$', maxLength: 40 })
  .default('')
const token = z.string().regex(/^[A-Za-z0-9_-]{22}$/, { error: 'payment_link_not_exist' })

const link = z.object({
  id: z.string().describe('ID of the link'),
  url: z.string().describe('Page for payers, who need nothing else'),
  title: z.string().describe('What is paid for, as the payer sees it'),
  appid: z.string().describe('ID of the application'),
  apply_name: z.string(),
  currency: z.string().describe('Currency of the amounts'),
  amount: money.describe('Amount of each payment; empty where the payer enters it'),
  min_amount: money.describe('Minimum amount to enter, or empty'),
  max_amount: money.describe('Maximum amount to enter, or empty'),
  once: z.boolean().describe('Whether the link takes one payment only'),
  state: z.enum(linkStates),
  paid: z.int().describe('Paid payments, counted up to 1,000'),
  expire_time: unixSeconds.describe('When the link expires; 0 for never'),
  created_time: unixSeconds.describe('When the link was created'),
})

/** What a link is created of. */
const newLink = z.strictObject({
  title: requiredLine(100).describe('What is paid for, as the payer sees it'),
  currency: currencyCode
    .default('USDT')
    .describe('USDT, another token such as ETH or USDC, or a fiat currency such as USD, EUR or CNY; by default USDT'),
  amount: amountOrEmpty.describe('Amount of each payment in `currency`; empty, as by default: the payer enters it'),
  min_amount: amountOrEmpty.describe('Minimum amount to enter, for a link without an amount; by default none'),
  max_amount: amountOrEmpty.describe('Maximum amount to enter, likewise'),
  once: z.boolean().default(false).describe('Whether the link takes one payment only; by default false'),
  expire_time: allowing(z.int().min(0).max(endOfTime), {
    en: 'a time in Unix seconds, or 0 for never',
    'zh-CN': 'Unix 时间（秒），0 表示永不过期',
  })
    .default(0)
    .describe('When the link expires; 0, as by default, for never'),
})

export const paymentLinkRoutes = defineRoutes({
  'GET /api/v1/payment-link': {
    summary: 'List payment links, newest first',
    query: z.strictObject({ ...paging, active: wholeText(0, 1).optional(), text: required(64).optional() }),
    data: listOf(link),
  },
  'POST /api/v1/payment-link': {
    summary:
      'Create a payment link. Without an application it belongs to the one called Collect, which is created if needed',
    body: newLink.extend({ appid: id.optional() }),
    data: link,
  },
  'GET /api/v1/collect': {
    summary: 'List the payments of the counter of the last two hours, newest first, at most 20',
    data: z.object({
      list: z.array(
        z.object({
          trade_no: z.string(),
          note: z.string(),
          amount: money,
          currency: z.string(),
          status: z.int(),
          partial: z.boolean().describe('Whether some of it, and not all, has been seen'),
          created_time: unixSeconds,
        }),
      ),
    }),
  },
  'POST /api/v1/collect': {
    summary: 'Create a payment at the counter, in the application called Collect',
    body: z.strictObject({
      amount,
      currency: currencyCode.default('USDT'),
      note: optionalText(100).default(''),
    }),
    data: z.object({ trade_no: z.string(), pay_url: z.string() }),
  },
  'POST /api/v1/collect/cancel': {
    summary: 'Close a payment of the counter for which nothing has been paid',
    body: z.strictObject({ trade_no: tradeNo }),
    data: empty,
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
    summary: 'Disable a payment link for good. Payments that it has opened stay',
    body: z.strictObject({ id }),
    data: empty,
  },
})

const linkOfKey = link
  .omit({ apply_name: true })
  .extend({
    state: z
      .enum(['open', 'used', 'expired', 'closed', 'unavailable'])
      .describe(
        'used: its one payment was received; closed: by you; unavailable: application or account is not active',
      ),
  })
  .meta({ id: 'PaymentLink', description: 'A link by which payers create orders' })
const ofLink = z.strictObject({ id: id.describe('ID of the link') })
const notFound = ['parameter_error', 'payment_link_not_exist'] as const

/** Payment links for a merchant's server: a key has those of its application. */
export const paymentLinkKeyRoutes = defineRoutes({
  'POST /api/v1/pay/links': {
    auth: 'key',
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
    summary: {
      en: 'List the payment links of the application, newest first',
      'zh-CN': '查询应用的收款链接，最新的在前',
    },
    docs: { id: 'listLinks', tag: 'Orders', errors: ['parameter_error'] },
    query: z.strictObject({
      ...timeRange,
      pageSize: paging.pageSize,
      cursor: cursor.describe('`next_cursor` of the page before. Send the same filters'),
    }),
    data: z.object({ list: z.array(linkOfKey).describe('The page'), next_cursor: nextCursor }),
  },
  'GET /api/v1/pay/links/:id': {
    auth: 'key',
    summary: { en: 'Get a payment link', 'zh-CN': '查询收款链接' },
    docs: { id: 'getLink', tag: 'Orders', errors: notFound },
    params: ofLink,
    data: linkOfKey,
  },
  'POST /api/v1/pay/links/:id/close': {
    auth: 'key',
    summary: {
      en: 'Close a payment link for good. Orders that it has created stay payable',
      'zh-CN': '永久关闭收款链接，已生成的订单仍可支付',
    },
    docs: { id: 'closeLink', tag: 'Orders', errors: notFound },
    params: ofLink,
    body: empty.optional(),
    data: linkOfKey,
  },
})
