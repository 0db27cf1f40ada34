import { z } from 'zod'
import { readingRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { decimalAmount, id, requiredText, tradeNo, unixSeconds } from '../kit/schemas.ts'
import { pastWithdrawal } from '../withdrawals/operator.ts'
import { paymentRoutes } from './routes.ts'

const detail = paymentRoutes['GET /api/v1/transactions/detail'].data
const found = paymentRoutes['GET /api/v1/transactions/search'].data.shape.list.element

const payment = found.omit({ fiat_name: true, fiat_amount: true }).extend({ mchid: z.string(), merchant: z.string() })
const callback = z.object({
  id: z.string(),
  mchid: z.string(),
  trade_no: z.string(),
  out_trade_no: z.string(),
  title: z.string().describe('What was sold by a payment link or at the counter; empty for others'),
  event: z.string(),
  status: z.int().describe('See callbackStatus'),
  url: z.string(),
  attempts: z.int(),
  result: z.string(),
  created_time: unixSeconds,
})
const refund = z.object({
  id: z.string(),
  status: z.int(),
  receives: decimalAmount,
  token: z.string(),
  chain: z.string(),
  created_time: unixSeconds,
})
const session = z.object({
  id: z.string(),
  ip: z.string(),
  device: z.string(),
  created_time: unixSeconds,
  last_seen: unixSeconds,
})

/** Payments, applications and callbacks of any merchant, to answer questions about them. */
export const lookupRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/search': {
    who: readingRoles,
    summary:
      'Find merchants by number, email or name, and payments and withdrawals by number, order, transaction or address; at most 20 of each',
    query: z.strictObject({ text: requiredText(128) }),
    data: z.object({
      merchants: z.array(z.object({ mchid: z.string(), email: z.string(), name: z.string() })),
      payments: z.array(payment),
      withdrawals: z.array(pastWithdrawal),
    }),
  },
  'GET /api/operator/v1/merchants/:id/activity': {
    who: readingRoles,
    replica: true,
    summary: 'Read the newest payments and withdrawals of a merchant, its failing callbacks and its open sessions',
    params: z.strictObject({ id }),
    data: z.object({
      payments: z.array(payment),
      withdrawals: z.array(pastWithdrawal),
      callbacks: z.array(callback).describe('Those that were given up'),
      sessions: z.array(session),
    }),
  },
  'GET /api/operator/v1/payments': {
    who: readingRoles,
    replica: true,
    summary: 'Find payments by number, order, transaction hash or deposit address, newest first; at most 20',
    query: z.strictObject({ text: requiredText(128) }),
    data: z.object({ list: z.array(payment) }),
  },
  'GET /api/operator/v1/payments/:id': {
    who: readingRoles,
    summary: 'Read a payment with its deposits, refunds, history and callbacks',
    params: z.strictObject({ id: tradeNo }),
    data: detail.extend({ mchid: z.string(), merchant: z.string(), refunds: z.array(refund) }),
  },
  'GET /api/operator/v1/applications': {
    who: readingRoles,
    replica: true,
    summary: 'List the applications of a merchant, newest first',
    query: z.strictObject({ mchid: id }),
    data: z.object({
      list: z.array(
        z.object({
          appid: z.string(),
          name: z.string(),
          status: z.int().describe('See applicationStatus'),
          secret_key: z.string().describe('Masked'),
          notify_url: z.string(),
          payouts_allowed: z.boolean(),
          created_time: unixSeconds,
        }),
      ),
    }),
  },
  'GET /api/operator/v1/callbacks': {
    who: readingRoles,
    replica: true,
    summary: 'List the callbacks of a payment, or the newest that were given up; at most 200',
    query: z.strictObject({ trade_no: tradeNo.optional() }),
    data: z.object({
      list: z.array(callback),
    }),
  },
})
