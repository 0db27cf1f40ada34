import { z } from 'zod'
import { callbackEvents, paymentExceptions, paymentStatus } from '../codes.ts'
import { describeField } from '../kit/describe.ts'
import { moneyRoles, paymentReadingRoles, readingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  codeFilter,
  decimalAmount,
  emptyObject,
  exportQuery,
  id,
  listOf,
  metadata,
  outTradeNo,
  paging,
  proof,
  requiredText,
  timeRange,
  tradeNo,
  unixSeconds,
  validatedText,
} from '../kit/schemas.ts'
import { isMetadataFilter, isPaymentSearchText, isSearchText, isTxid } from '../kit/texts.ts'
import { paymentRecord } from './payment.ts'

const searchText = {
  en: '1 to 64 characters, without control characters',
  'zh-CN': '1 至 64 个字符，不含控制字符',
}

/** Filters of payments by what stands in them. */
export const paymentSearch = {
  exception: z
    .enum(paymentExceptions)
    .exclude(['none'])
    .optional()
    .meta(describeField({ en: 'Exception of the orders', 'zh-CN': '订单的异常情况' })),
  text: validatedText(isSearchText, 'parameter_error', searchText)
    .optional()
    .meta(
      describeField({
        en: 'Start of an order number, or starts of words of the subject and of your custom data; finds the newest 2,000 at most',
        'zh-CN': '订单号的开头，或商品说明和自定义数据中词语的开头；最多返回最新的 2,000 笔',
      }),
    )
    .meta({ maxLength: 64 }),
  address: validatedText(isSearchText, 'parameter_error', searchText)
    .optional()
    .meta(describeField({ en: 'Deposit address', 'zh-CN': '收款地址' }))
    .meta({ maxLength: 64 }),
  txid: validatedText(isTxid, 'parameter_error', {
    en: '64 hexadecimal digits, with or without 0x',
    'zh-CN': '64 位十六进制字符，可带 0x 前缀',
  })
    .optional()
    .meta(describeField({ en: 'Transaction hash of a transfer', 'zh-CN': '转账的交易哈希' })),
  metadata: validatedText(isMetadataFilter, 'parameter_error', {
    en: 'key=value with a key of 1 to 64 characters, at most 1,000 characters in all',
    'zh-CN': 'key=value，键为 1 至 64 个字符，总长最多 1000 个字符',
  })
    .optional()
    .meta(
      describeField({
        en: 'Entry of the metadata as key=value, such as customer=42',
        'zh-CN': '元数据中的一项，格式为 key=value，例如 customer=42',
      }),
    )
    .meta({ maxLength: 1_000 }),
}

export const paymentFilter = {
  ...paymentSearch,
  // Also an address or a transaction.
  text: validatedText(isPaymentSearchText, 'parameter_error', {
    en: '1 to 128 characters, without control characters',
    'zh-CN': '1 至 128 个字符，不含控制字符',
  }).optional(),
  status: codeFilter(paymentStatus),
  appid: id.optional(),
  out_trade_no: outTradeNo.optional(),
  trade_no: tradeNo.optional(),
  collected_by: id.optional().describe('Id of the person who collected them'),
  ...timeRange,
}

export const paymentRoutes = defineRoutes({
  'GET /api/v1/transactions/list': {
    who: paymentReadingRoles,
    replica: true,
    summary: 'List payment records, newest first',
    query: z.strictObject({ ...paging, ...paymentFilter }),
    data: listOf(paymentRecord).extend({
      truncated: z.boolean().describe('Whether `text` finds more than are listed, of which these are the newest'),
    }),
  },
  'GET /api/v1/transactions/list/export': {
    who: readingRoles,
    kind: 'file',
    summary:
      'Export the filtered payment records as .xlsx. Requires the header X-DOWNLOAD: 1; the response header X-Total-Rows has the number of rows.',
    query: exportQuery(paymentFilter),
    data: z.any(),
  },
  'GET /api/v1/transactions/search': {
    who: paymentReadingRoles,
    summary:
      'Find payments by the beginning of an order number, a deposit address or a transaction hash, or by price; at most 10',
    query: z.strictObject({ text: requiredText(128) }),
    data: z.object({
      list: z.array(
        z.object({
          trade_no: z.string(),
          out_trade_no: z.string(),
          title: z.string(),
          usdt_amount: decimalAmount,
          fiat_name: z.string(),
          fiat_amount: decimalAmount,
          status: z.int(),
          created_time: unixSeconds,
        }),
      ),
    }),
  },
  'GET /api/v1/transactions/detail': {
    who: paymentReadingRoles,
    summary: 'Get a payment with its history and callbacks',
    query: z.strictObject({ trade_no: tradeNo }),
    data: paymentRecord.extend({
      subject: z.string(),
      attach: z.string(),
      metadata,
      tolerance_permille: z.int(),
      mixed_payment: z.boolean(),
      fee_bps: z
        .int()
        .nullable()
        .describe('Rate of the fee that was applied, in hundredths of a percent; null if none was or it is not known'),
      rate: z.object({ price: decimalAmount, source: z.string(), time: unixSeconds, spread: decimalAmount }).nullable(),
      history: z.array(
        z.object({
          status: z.int(),
          exception: z.enum(paymentExceptions),
          event: z.string(),
          reason: z.string().describe('Why the merchant marked the payment; empty for other events'),
          time: unixSeconds,
        }),
      ),
      callbacks: z.array(
        z.object({
          id: z.string(),
          event: z.enum(callbackEvents),
          status: z.int(),
          attempts: z.int(),
          time: unixSeconds,
        }),
      ),
    }),
  },
  'POST /api/v1/transactions/mark': {
    who: moneyRoles,
    summary: 'Mark a payment as paid or invalid, with a reason. Moves no money',
    body: z.strictObject({
      trade_no: tradeNo,
      as: z.enum(['paid', 'invalid']),
      reason: requiredText(200),
      proof: proof.optional(),
    }),
    data: emptyObject,
  },
})
