import { z } from 'zod'
import { callbackEvents, callbackStatus } from '../codes.ts'
import { describeField } from '../kit/describe.ts'
import { integratingRoles, officeRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  codeFilter,
  cursor,
  decimalAmount,
  emptyObject,
  id,
  listOf,
  nextCursor,
  paging,
  timeRange,
  tradeNo,
  unixSeconds,
} from '../kit/schemas.ts'
import { callbackLabels, formatCodeList } from '../labels.ts'

export const callbackRow = z.object({
  id: z.string(),
  type: z.string().describe('payment, deposit, withdrawal, refund or test'),
  event: z.enum(callbackEvents),
  status: z.int().describe('See callbackStatus'),
  amount: decimalAmount,
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
  .meta(describeField(formatCodeList(callbackStatus, callbackLabels)))
  .meta({ enum: Object.values(callbackStatus) })
const callbackId = z.strictObject({
  id: id.meta(
    describeField({
      en: 'ID of the callback: its `webhook-id`',
      'zh-CN': '平台单号（查询时也可为 `out:` 加商户单号），或回调、端点、收款链接的 ID',
    }),
  ),
})
const perPage = paging.pageSize

/** A callback as the merchant's server sees it. */
const sent = z
  .object({
    id: z
      .string()
      .meta(describeField({ en: 'ID of the callback: its `webhook-id`', 'zh-CN': '回调的 ID，即 `webhook-id`' })),
    event: z.enum(callbackEvents).meta(describeField({ en: 'Type of the event', 'zh-CN': '事件类型' })),
    status: state,
    result: z.string().meta(
      describeField({
        en: 'Result of the last attempt: an HTTP status or a failure; empty before it',
        'zh-CN': '最近一次发送的结果：HTTP 状态码或失败原因；发送前为空',
      }),
    ),
    attempts: z.int().meta(describeField({ en: 'Attempts so far', 'zh-CN': '已发送次数' })),
    notify_url: z.string().meta(describeField({ en: 'URL to which it was queued', 'zh-CN': '创建时的回调地址' })),
    trade_no: z.string().meta(
      describeField({
        en: 'Number of the payment, withdrawal or refund; empty for others',
        'zh-CN': '订单、提现或退款的平台单号；其他为空',
      }),
    ),
    created_time: unixSeconds.meta(describeField({ en: 'When the event occurred', 'zh-CN': '事件发生的时间' })),
    next_time: unixSeconds.meta(
      describeField({ en: 'When the next attempt is due; 0 if none is', 'zh-CN': '下次发送时间；不再发送时为 0' }),
    ),
  })
  .meta({ id: 'Callback', description: 'An event that is sent to the merchant’s server' })

const attempt = z.object({
  time: unixSeconds.meta(describeField({ en: 'When it was made', 'zh-CN': '发送时间' })),
  duration_ms: z.int().meta(describeField({ en: 'Milliseconds until the response', 'zh-CN': '收到响应所用的毫秒数' })),
  http_status: z
    .int()
    .meta(
      describeField({ en: 'HTTP status of the response; 0 without one', 'zh-CN': '响应的 HTTP 状态码；无响应时为 0' }),
    ),
  result: z
    .string()
    .meta(
      describeField({ en: 'The HTTP status, or why there was no response', 'zh-CN': 'HTTP 状态码，或无响应的原因' }),
    ),
  answer: z.string().meta(describeField({ en: 'Begin of the response', 'zh-CN': '响应内容的开头' })),
  sent: z.string().meta(
    describeField({
      en: 'What was sent in the form of a shop’s protocol: its body, or its URL; empty where it was `body`',
      'zh-CN': '按店铺协议发送的内容：请求体或网址；与 `body` 相同时为空',
    }),
  ),
  manual: z
    .boolean()
    .meta(describeField({ en: 'Whether it was requested by hand or by a call', 'zh-CN': '是否由人工或接口发起' })),
})

export const callbackRoutes = defineRoutes({
  'GET /api/v1/callback/list': {
    who: officeRoles,
    replica: true,
    summary: 'List callbacks, newest first',
    query: z.strictObject({
      ...paging,
      ...timeRange,
      status: codeFilter(callbackStatus),
      appid: id.optional(),
      trade_no: tradeNo.optional(),
      event: z.enum(callbackEvents).optional(),
    }),
    data: listOf(callbackRow),
  },
  'GET /api/v1/callback/detail': {
    who: officeRoles,
    summary: 'Get a callback with its body and all attempts',
    query: z.strictObject({ id }),
    data: callbackRow.extend({
      body: z.string(),
      attempt_list: z.array(attempt),
    }),
  },
  'POST /api/v1/callback/resend': {
    who: integratingRoles,
    summary: 'Resend a callback immediately',
    body: z.strictObject({ id }),
    data: emptyObject,
  },
  'POST /api/v1/callback/test': {
    who: integratingRoles,
    summary: 'Send a test.ping to the notify URL of an application',
    body: z.strictObject({ appid: id }),
    data: z.object({ id: z.string() }),
  },
  'GET /api/v1/pay/callbacks': {
    auth: 'key',
    scope: 'read',
    summary: { en: 'List callbacks of the application, newest first', 'zh-CN': '查询应用的回调列表，最新的在前' },
    docs: { id: 'listCallbacks', tag: 'Callbacks', errors: ['parameter_error'] },
    query: z.strictObject({
      ...timeRange,
      status: codeFilter(callbackStatus)
        .meta(describeField({ en: 'Status of the callbacks', 'zh-CN': '状态' }))
        .meta({ enum: Object.values(callbackStatus) }),
      event: z
        .enum(callbackEvents)
        .optional()
        .meta(describeField({ en: 'Type of the event', 'zh-CN': '事件类型' })),
      trade_no: tradeNo.optional().meta(
        describeField({
          en: 'Number of the payment, withdrawal or refund',
          'zh-CN': '平台订单号；查询订单时也可为 `out:` 加商户订单号',
        }),
      ),
      pageSize: perPage,
      cursor: cursor.meta(
        describeField({
          en: '`next_cursor` of the page before. Send the same filters',
          'zh-CN': '上一次响应的 `next_cursor`，代替 `current`：新数据不会使分页错位。请使用相同的筛选条件',
        }),
      ),
    }),
    data: z.object({
      list: z.array(sent).meta(describeField({ en: 'The page', 'zh-CN': '当前页' })),
      next_cursor: nextCursor,
    }),
  },
  'GET /api/v1/pay/callbacks/:id': {
    auth: 'key',
    scope: 'read',
    summary: {
      en: 'Get a callback with its body and the latest 200 attempts',
      'zh-CN': '查询回调，含内容和最近 200 次发送记录',
    },
    docs: { id: 'getCallback', tag: 'Callbacks', errors: ['parameter_error', 'callback_not_exist'] },
    params: callbackId,
    data: z.object({
      callback: sent.meta(describeField({ en: 'The callback', 'zh-CN': '回调' })),
      body: z.string().meta(describeField({ en: 'The body as it is signed', 'zh-CN': '签名的原文' })),
      attempts: z.array(attempt).meta(describeField({ en: 'Attempts, newest first', 'zh-CN': '发送记录，最新的在前' })),
    }),
  },
  'POST /api/v1/pay/callbacks/:id/resend': {
    auth: 'key',
    scope: 'orders',
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
    body: emptyObject.optional(),
    data: sent,
  },
  'GET /api/v1/pay/events': {
    auth: 'key',
    scope: 'read',
    summary: {
      en: 'List the events of the application since a cursor, oldest first, of the last 30 days. Those of the last 30 seconds come again with the next call: ignore IDs that you have seen',
      'zh-CN':
        '自游标起查询应用最近 30 天的事件，最早的在前。最近 30 秒的事件会在下次调用时再次返回，请忽略已处理的 ID',
    },
    docs: { id: 'listEvents', tag: 'Callbacks', errors: ['parameter_error'] },
    query: z.strictObject({
      pageSize: perPage,
      cursor: cursor.meta(
        describeField({
          en: '`next_cursor` of the last answer; without it, from 30 days ago',
          'zh-CN': '上一次响应的 `next_cursor`，代替 `current`：新数据不会使分页错位。请使用相同的筛选条件',
        }),
      ),
    }),
    data: z.object({
      list: z
        .array(
          z
            .object({
              id: z.string().meta(
                describeField({
                  en: 'ID of the event: the `webhook-id` of its callback',
                  'zh-CN': '事件的 ID，即回调的 `webhook-id`',
                }),
              ),
              type: z.enum(callbackEvents).meta(describeField({ en: 'Type of the event', 'zh-CN': '事件类型' })),
              timestamp: z.string().meta(describeField({ en: 'When the event occurred', 'zh-CN': '事件发生的时间' })),
              data: z
                .record(z.string(), z.unknown())
                .meta(describeField({ en: 'As in the callback', 'zh-CN': '与回调相同' })),
            })
            .meta({ id: 'Event', description: 'An event, with the body of its callback' }),
        )
        .meta(describeField({ en: 'The events', 'zh-CN': '事件' })),
      next_cursor: z.string().meta(
        describeField({
          en: 'Where to read on, at once if the page is full, else later',
          'zh-CN': '继续读取的位置：本页已满时立即读取，否则稍后读取',
        }),
      ),
    }),
  },
})
