import { z } from 'zod'
import { callbackEvents, callbackStatus } from './codes.ts'
import { defineRoutes } from './route.ts'
import { empty, filterBy, id, listOf, money, paging, timeRange, tradeNo, unixSeconds } from './schemas.ts'

export const callbackRow = z.object({
  id: z.string(),
  type: z.string().describe('payment, deposit, withdrawal, refund or test'),
  event: z.enum(callbackEvents),
  status: z.int().describe('See callbackStatus'),
  amount: money,
  token: z.string(),
  result: z.string().describe('Result of the last attempt: an HTTP status or a failure'),
  address: z.string().describe('The notify URL'),
  attempts: z.int(),
  trade_no: z.string(),
  out_trade_no: z.string(),
  appid: z.string(),
  apply_name: z.string(),
  time: unixSeconds,
  next_time: unixSeconds.describe('Time of the next attempt; 0 if none'),
})

export const callbackRoutes = defineRoutes({
  'GET /api/v1/callback/list': {
    summary: 'List callbacks, newest first',
    query: z.strictObject({
      ...paging,
      ...timeRange,
      status: filterBy(callbackStatus),
      appid: id.optional(),
      trade_no: tradeNo.optional(),
      event: z.enum(callbackEvents).optional(),
    }),
    data: listOf(callbackRow),
  },
  'GET /api/v1/callback/detail': {
    summary: 'Get a callback with its body and all attempts',
    query: z.strictObject({ id }),
    data: callbackRow.extend({
      body: z.string(),
      attempt_list: z.array(
        z.object({
          time: unixSeconds,
          duration_ms: z.int(),
          http_status: z.int().describe('0 if there was no response'),
          result: z.string(),
          answer: z.string(),
          manual: z.boolean(),
        }),
      ),
    }),
  },
  'POST /api/v1/callback/resend': {
    summary: 'Resend a callback immediately',
    body: z.strictObject({ id }),
    data: empty,
  },
  'POST /api/v1/callback/test': {
    summary: 'Send a test.ping to the notify URL of an application',
    body: z.strictObject({ appid: id }),
    data: z.object({ id: z.string() }),
  },
})
