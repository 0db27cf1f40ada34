import { z } from 'zod'
import { callbackEvents, paymentExceptions } from '../codes.ts'
import { defineRoutes } from '../route.ts'
import { empty, id, listOf, money, outTradeNo, paging, timeRange, tradeNo, unixSeconds } from '../schemas.ts'

/** One deposit of a payment as the chain shows it. */
export const chainConfirmation = z
  .object({
    confirmation_time: unixSeconds.describe('When it was credited; 0 while it waits for confirmations'),
    seen_time: unixSeconds,
    txid: z.string().describe('The transaction'),
    browser_url: z.string().describe('The transaction at an explorer; empty where there is none'),
    chain: z.string(),
    amount: money.describe('What arrived, in `token`'),
    gas: money.describe('What the payer paid for the transaction, in the native coin'),
    gas_token: z.string().describe('The native coin'),
    token: z.string(),
    to_address: z.string(),
    from_address: z.string(),
    net: z.string().describe('The token standard by which payers know the network'),
    confirmations: z.int(),
    required_confirmations: z.int(),
    state: z
      .enum(['seen', 'credited', 'dropped', 'undone'])
      .describe(
        'seen: waits for confirmations; credited: final; dropped: left the chain before; undone: taken back after',
      ),
    late: z.boolean().describe('It came after the payment was over'),
  })
  .meta({ id: 'Deposit' })

export const paymentRecord = z.object({
  apply_name: z.string(),
  appid: z.string(),
  out_trade_no: z.string(),
  trade_no: z.string(),
  amount: money.describe('Amount asked in `token`; empty until the payer has chosen a token'),
  token: z.string(),
  usdt_amount: money,
  fiat_name: z.string(),
  fiat_amount: money,
  chain: z.string(),
  contract: z.string(),
  fees: money.describe('Fee in `token`'),
  status: z.int(),
  exception: z.enum(paymentExceptions),
  paid_amount: money.describe('What arrived, in `token`'),
  address: z.string(),
  created_time: unixSeconds,
  expire_time: unixSeconds,
  paid_time: unixSeconds.describe('0 while not paid'),
  logo: z.string(),
  chain_confirmation_information: z.array(chainConfirmation),
})

export const paymentFilter = {
  status: z.coerce.number().int().min(1).max(8).optional(),
  appid: id.optional(),
  out_trade_no: outTradeNo.optional(),
  trade_no: tradeNo.optional(),
  ...timeRange,
}

export const transactionRoutes = defineRoutes({
  'GET /api/v1/transactions/list': {
    auth: 'token',
    summary: 'Payment records, newest first',
    query: z.strictObject({ ...paging, ...paymentFilter }),
    data: listOf(paymentRecord),
  },
  'GET /api/v1/transactions/list/export': {
    auth: 'token',
    kind: 'file',
    summary:
      'The filtered payment records as .xlsx. The header X-DOWNLOAD: 1 asks for the file; X-Total-Rows tells its rows beforehand.',
    query: z.strictObject({
      ...paymentFilter,
      current: paging.current.optional(),
      pageSize: paging.pageSize.optional(),
    }),
    data: z.any(),
  },
  'GET /api/v1/transactions/detail': {
    auth: 'token',
    summary: 'One payment with its history and callbacks',
    query: z.strictObject({ trade_no: tradeNo }),
    data: paymentRecord.extend({
      rate: z.object({ price: money, source: z.string(), time: unixSeconds }).nullable(),
      history: z.array(
        z.object({ status: z.int(), exception: z.enum(paymentExceptions), event: z.string(), time: unixSeconds }),
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
})

export const callbackRow = z.object({
  id: z.string(),
  type: z.string().describe('payment or test'),
  event: z.enum(callbackEvents),
  status: z.int().describe('1 to be confirmed, 2 success, 3 failed (will be tried again), 4 given up'),
  amount: money,
  token: z.string(),
  result: z.string().describe('What the last attempt got: an HTTP status or what went wrong'),
  address: z.string().describe('The notify URL'),
  attempts: z.int(),
  trade_no: z.string(),
  out_trade_no: z.string(),
  appid: z.string(),
  apply_name: z.string(),
  time: unixSeconds,
  next_time: unixSeconds.describe('When it is tried next; 0 when it is not'),
})

export const callbackRoutes = defineRoutes({
  'GET /api/v1/callback/list': {
    auth: 'token',
    summary: 'Callbacks, newest first',
    query: z.strictObject({
      ...paging,
      ...timeRange,
      status: z.coerce.number().int().min(1).max(4).optional(),
      appid: id.optional(),
      trade_no: tradeNo.optional(),
      event: z.enum(callbackEvents).optional(),
    }),
    data: listOf(callbackRow),
  },
  'GET /api/v1/callback/detail': {
    auth: 'token',
    summary: 'One callback with its body and every attempt',
    query: z.strictObject({ id }),
    data: callbackRow.extend({
      body: z.string(),
      attempt_list: z.array(
        z.object({
          time: unixSeconds,
          duration_ms: z.int(),
          http_status: z.int().describe('0 when there was no answer'),
          result: z.string(),
          answer: z.string(),
          manual: z.boolean(),
        }),
      ),
    }),
  },
  'POST /api/v1/callback/resend': {
    auth: 'token',
    submission: true,
    summary: 'Send a callback again now',
    body: z.strictObject({ id }),
    data: empty,
  },
  'POST /api/v1/callback/test': {
    auth: 'token',
    submission: true,
    summary: 'Send a test.ping to the notify URL of an application',
    body: z.strictObject({ appid: id }),
    data: z.object({ id: z.string() }),
  },
})
