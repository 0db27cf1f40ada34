import { z } from 'zod'
import { callbackEvents, paymentExceptions, paymentStatus } from './codes.ts'
import { defineRoutes } from './route.ts'
import { filterBy, id, listOf, money, outTradeNo, paging, timeRange, tradeNo, unixSeconds } from './schemas.ts'

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
  .meta({ id: 'Deposit', description: 'A transfer on a chain to the address of a payment' })

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
  status: filterBy(paymentStatus),
  appid: id.optional(),
  out_trade_no: outTradeNo.optional(),
  trade_no: tradeNo.optional(),
  ...timeRange,
}

export const paymentRoutes = defineRoutes({
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
