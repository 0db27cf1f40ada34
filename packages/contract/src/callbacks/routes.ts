import { z } from 'zod'
import { callbackEvents, callbackStatus } from '../codes.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  cursor,
  empty,
  filterBy,
  id,
  listOf,
  money,
  nextCursor,
  paging,
  timeRange,
  tradeNo,
  unixSeconds,
} from '../kit/schemas.ts'
import { callbackLabels, codeList } from '../labels.ts'

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
  title: z.string().describe('What was sold by a payment link or at the counter; empty for others'),
  appid: z.string(),
  apply_name: z.string(),
  time: unixSeconds,
  next_time: unixSeconds.describe('Time of the next attempt; 0 if none'),
})

const state = z
  .int()
  .describe(codeList(callbackStatus, callbackLabels.en))
  .meta({ enum: Object.values(callbackStatus) })
const callbackId = z.strictObject({ id: id.describe('ID of the callback: its `webhook-id`') })
const perPage = paging.pageSize

/** A callback as the merchant's server sees it. */
const sent = z
  .object({
    id: z.string().describe('ID of the callback: its `webhook-id`'),
    event: z.enum(callbackEvents).describe('Type of the event'),
    status: state,
    result: z.string().describe('Result of the last attempt: an HTTP status or a failure; empty before it'),
    attempts: z.int().describe('Attempts so far'),
    notify_url: z.string().describe('URL to which it was queued'),
    trade_no: z.string().describe('Number of the payment, withdrawal or refund; empty for others'),
    created_time: unixSeconds.describe('When the event occurred'),
    next_time: unixSeconds.describe('When the next attempt is due; 0 if none is'),
  })
  .meta({ id: 'Callback', description: 'An event that is sent to the merchant’s server' })

const attempt = z.object({
  time: unixSeconds.describe('When it was made'),
  duration_ms: z.int().describe('Milliseconds until the response'),
  http_status: z.int().describe('HTTP status of the response; 0 without one'),
  result: z.string().describe('The HTTP status, or why there was no response'),
  answer: z.string().describe('Begin of the response'),
  sent: z
    .string()
    .describe('What was sent in the form of a shop’s protocol: its body, or its URL; empty where it was `body`'),
  manual: z.boolean().describe('Whether it was requested by hand or by a call'),
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
      attempt_list: z.array(attempt),
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
  'GET /api/v1/pay/callbacks': {
    auth: 'key',
    summary: { en: 'List callbacks of the application, newest first', 'zh-CN': '查询应用的回调列表，最新的在前' },
    docs: { id: 'listCallbacks', tag: 'Callbacks', errors: ['parameter_error'] },
    query: z.strictObject({
      ...timeRange,
      status: filterBy(callbackStatus)
        .describe('Status of the callbacks')
        .meta({ enum: Object.values(callbackStatus) }),
      event: z.enum(callbackEvents).optional().describe('Type of the event'),
      trade_no: tradeNo.optional().describe('Number of the payment, withdrawal or refund'),
      pageSize: perPage,
      cursor: cursor.describe('`next_cursor` of the page before. Send the same filters'),
    }),
    data: z.object({
      list: z.array(sent).describe('The page'),
      next_cursor: nextCursor,
    }),
  },
  'GET /api/v1/pay/callbacks/:id': {
    auth: 'key',
    summary: {
      en: 'Get a callback with its body and the latest 200 attempts',
      'zh-CN': '查询回调，含内容和最近 200 次发送记录',
    },
    docs: { id: 'getCallback', tag: 'Callbacks', errors: ['parameter_error', 'callback_not_exist'] },
    params: callbackId,
    data: z.object({
      callback: sent.describe('The callback'),
      body: z.string().describe('The body as it is signed'),
      attempts: z.array(attempt).describe('Attempts, newest first'),
    }),
  },
  'POST /api/v1/pay/callbacks/:id/resend': {
    auth: 'key',
    summary: {
      en: 'Resend a callback now, whatever its status. It keeps its ID. One that says that an order is paid is refused once money went back',
      'zh-CN': '立即重新发送回调，不论其状态。ID 不变。订单款项退回后，表示已支付的回调不可重新发送',
    },
    docs: {
      id: 'resendCallback',
      tag: 'Callbacks',
      errors: ['parameter_error', 'callback_not_exist', 'operation_failed'],
    },
    params: callbackId,
    body: empty.optional(),
    data: sent,
  },
  'GET /api/v1/pay/events': {
    auth: 'key',
    summary: {
      en: 'List the events of the application since a cursor, oldest first, of the last 30 days. Those of the last 30 seconds come again with the next call: ignore IDs that you have seen',
      'zh-CN':
        '自游标起查询应用最近 30 天的事件，最早的在前。最近 30 秒的事件会在下次调用时再次返回，请忽略已处理的 ID',
    },
    docs: { id: 'listEvents', tag: 'Callbacks', errors: ['parameter_error'] },
    query: z.strictObject({
      pageSize: perPage,
      cursor: cursor.describe('`next_cursor` of the last answer; without it, from 30 days ago'),
    }),
    data: z.object({
      list: z
        .array(
          z
            .object({
              id: z.string().describe('ID of the event: the `webhook-id` of its callback'),
              type: z.enum(callbackEvents).describe('Type of the event'),
              timestamp: z.string().describe('When the event occurred'),
              data: z.record(z.string(), z.unknown()).describe('As in the callback'),
            })
            .meta({ id: 'Event', description: 'An event, with the body of its callback' }),
        )
        .describe('The events'),
      next_cursor: z.string().describe('Where to read on, at once if the page is full, else later'),
    }),
  },
})
