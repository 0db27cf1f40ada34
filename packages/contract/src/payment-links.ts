import { z } from 'zod'
import { endOfTime } from './limits.ts'
import { defineRoutes } from './route.ts'
import {
  allowing,
  amount,
  currencyCode,
  empty,
  id,
  listOf,
  money,
  optionalText,
  paging,
  required,
  text,
  tradeNo,
  unixSeconds,
  wholeText,
} from './schemas.ts'
import { isAmount } from './validators.ts'

/** Whether a link can be paid by. `used`: a link for one payment has been paid. `unavailable`: its application or merchant is not active. */
export const linkStates = ['open', 'used', 'expired', 'disabled', 'unavailable'] as const
export type LinkState = (typeof linkStates)[number]

/** Key of the metadata that names the link of a payment. */
export const linkMetadata = 'payment_link'

const amountOrEmpty = text(value => value === '' || isAmount(value), 'bad_amount', {
  en: 'empty, or a decimal string above 0 such as "19.90"',
  'zh-CN': '为空，或大于 0 的十进制字符串，例如 "19.90"',
}).default('')
const token = z.string().regex(/^[A-Za-z0-9_-]{22}$/, { error: 'payment_link_not_exist' })

const link = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  appid: z.string(),
  apply_name: z.string(),
  currency: z.string(),
  amount: money.describe('Empty: the payer enters it'),
  min_amount: money.describe('Least amount to enter, or empty'),
  max_amount: money.describe('Largest amount to enter, or empty'),
  once: z.boolean().describe('Whether the link takes one payment only'),
  state: z.enum(linkStates),
  paid: z.int().describe('Paid payments, counted up to 1,000'),
  expire_time: unixSeconds.describe('0: never'),
  created_time: unixSeconds,
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
    body: z.strictObject({
      title: required(100),
      currency: currencyCode.default('USDT'),
      amount: amountOrEmpty.describe('Empty: the payer enters it'),
      min_amount: amountOrEmpty,
      max_amount: amountOrEmpty,
      once: z.boolean().default(false),
      expire_time: allowing(z.int().min(0).max(endOfTime), {
        en: 'a time in Unix seconds, or 0 for never',
        'zh-CN': 'Unix 时间（秒），0 表示永不过期',
      }).default(0),
      appid: id.optional(),
    }),
    data: link,
  },
  'GET /api/v1/collect': {
    summary: 'List the payments of the counter of the last two hours, newest first, at most 20',
    data: z.object({
      list: z.array(
        z.object({
          trade_no: z.string(),
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
