import { z } from 'zod'
import { paymentRoutes } from '../payments.ts'
import { defineRoutes } from '../route.ts'
import { id, required, tradeNo, unixSeconds } from '../schemas.ts'

const detail = paymentRoutes['GET /api/v1/transactions/detail'].data
const found = paymentRoutes['GET /api/v1/transactions/search'].data.shape.list.element

/** Payments, applications and callbacks of any merchant, to answer questions about them. */
export const lookupRoutes = defineRoutes({
  'GET /api/operator/v1/payments': {
    summary: 'Find payments by number, transaction hash or deposit address, newest first; at most 20',
    query: z.strictObject({ text: required(128) }),
    data: z.object({ list: z.array(found.extend({ mchid: z.string() })) }),
  },
  'GET /api/operator/v1/payments/:id': {
    summary: 'Read a payment with its deposits, history and callbacks',
    params: z.strictObject({ id: tradeNo }),
    data: detail.extend({ mchid: z.string() }),
  },
  'GET /api/operator/v1/applications': {
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
    summary: 'List the callbacks of a payment, or the newest that were given up; at most 200',
    query: z.strictObject({ trade_no: tradeNo.optional() }),
    data: z.object({
      list: z.array(
        z.object({
          id: z.string(),
          mchid: z.string(),
          trade_no: z.string(),
          event: z.string(),
          status: z.int().describe('See callbackStatus'),
          url: z.string(),
          attempts: z.int(),
          result: z.string(),
          created_time: unixSeconds,
        }),
      ),
    }),
  },
})
