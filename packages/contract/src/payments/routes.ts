import { z } from 'zod'
import { callbackEvents, depositStates, paymentExceptions, paymentStatus } from '../codes.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  empty,
  exportQuery,
  filterBy,
  id,
  listOf,
  metadata,
  money,
  outTradeNo,
  paging,
  proof,
  required,
  text,
  timeRange,
  tradeNo,
  unixSeconds,
} from '../kit/schemas.ts'
import { isMetadataFilter, isRecordText, isSearchText, isTxid } from '../kit/texts.ts'

/** A deposit of a payment. */
export const chainConfirmation = z
  .object({
    confirmation_time: unixSeconds.describe('When the deposit was credited; 0 while it awaits confirmations'),
    seen_time: unixSeconds.describe('When the transfer was detected'),
    txid: z.string().describe('Transaction hash'),
    browser_url: z.string().describe('URL of the transaction in a block explorer, or empty'),
    chain: z.string().describe('Name of the chain'),
    amount: money.describe('Amount received, in `token`'),
    gas: money.describe('Gas fee paid by the sender, in the native coin'),
    gas_token: z.string().describe('Native coin of the chain'),
    token: z.string().describe('Token received'),
    to_address: z.string().describe('Deposit address'),
    from_address: z.string().describe('Address of the sender'),
    net: z.string().describe('Name under which payers know the network, such as ERC20'),
    confirmations: z.int().describe('Confirmations so far'),
    required_confirmations: z.int().describe('Confirmations after which the transfer is credited'),
    state: z
      .enum(depositStates)
      .describe(
        'seen: awaits confirmations; credited: final; dropped: reorged out before it was final; undone: reversed after it was credited',
      ),
    late: z.boolean().describe('Whether the transfer arrived after the payment had ended'),
    held: z
      .boolean()
      .describe(
        'Whether it has its confirmations and is not credited yet, as its token is being compared with balances or is on hold',
      ),
  })
  .meta({ id: 'Deposit', description: 'A transfer on a chain to a deposit address' })

/** A transfer as the payer sees it. */
export const payerDeposit = chainConfirmation
  .pick({
    txid: true,
    browser_url: true,
    chain: true,
    token: true,
    amount: true,
    confirmations: true,
    required_confirmations: true,
    state: true,
    late: true,
    held: true,
    seen_time: true,
  })
  .extend({
    accepted: z.boolean().describe('False for a bridged token that was sent for an accepted one: it never counts'),
    returned: z
      .enum(['no', 'coming', 'sent'])
      .describe('Whether an operator gives it back to its sender: on its way, or paid'),
    returned_to: z.string().describe('The address that sent it and gets it back; empty for what is not returned'),
  })

export const paymentRecord = z.object({
  apply_name: z.string(),
  appid: z.string(),
  out_trade_no: z.string(),
  title: z.string().describe('What was sold by a payment link or at the counter; empty for others'),
  trade_no: z.string(),
  amount: money.describe('Requested amount in `token`; empty until the payer has chosen a token'),
  token: z.string(),
  usdt_amount: money,
  fiat_name: z.string(),
  fiat_amount: money,
  chain: z.string(),
  contract: z.string(),
  fees: money.describe('Fee charged, in `token`'),
  status: z.int(),
  exception: z.enum(paymentExceptions),
  paid_amount: money.describe('Amount received, in `token`'),
  address: z.string(),
  created_time: unixSeconds,
  expire_time: unixSeconds,
  paid_time: unixSeconds.describe('0 until paid'),
  logo: z.string(),
  chain_confirmation_information: z.array(chainConfirmation),
})

const searchText = {
  en: '1 to 64 characters, without control characters',
  'zh-CN': '1 至 64 个字符，不含控制字符',
}

/** Filters of payments by what stands in them. */
export const paymentSearch = {
  exception: z.enum(paymentExceptions).exclude(['none']).optional().describe('Exception of the orders'),
  text: text(isSearchText, 'parameter_error', searchText)
    .optional()
    .describe(
      'Start of an order number, or starts of words of the subject and of your custom data; finds the newest 2,000 at most',
    )
    .meta({ maxLength: 64 }),
  address: text(isSearchText, 'parameter_error', searchText)
    .optional()
    .describe('Deposit address')
    .meta({ maxLength: 64 }),
  txid: text(isTxid, 'parameter_error', {
    en: '64 hexadecimal digits, with or without 0x',
    'zh-CN': '64 位十六进制字符，可带 0x 前缀',
  })
    .optional()
    .describe('Transaction hash of a transfer'),
  metadata: text(isMetadataFilter, 'parameter_error', {
    en: 'key=value with a key of 1 to 64 characters, at most 1,000 characters in all',
    'zh-CN': 'key=value，键为 1 至 64 个字符，总长最多 1000 个字符',
  })
    .optional()
    .describe('Entry of the metadata as key=value, such as customer=42')
    .meta({ maxLength: 1_000 }),
}

export const paymentFilter = {
  ...paymentSearch,
  // Also an address or a transaction.
  text: text(isRecordText, 'parameter_error', {
    en: '1 to 128 characters, without control characters',
    'zh-CN': '1 至 128 个字符，不含控制字符',
  }).optional(),
  status: filterBy(paymentStatus),
  appid: id.optional(),
  out_trade_no: outTradeNo.optional(),
  trade_no: tradeNo.optional(),
  ...timeRange,
}

export const paymentRoutes = defineRoutes({
  'GET /api/v1/transactions/list': {
    summary: 'List payment records, newest first',
    query: z.strictObject({ ...paging, ...paymentFilter }),
    data: listOf(paymentRecord).extend({
      truncated: z.boolean().describe('Whether `text` finds more than are listed, of which these are the newest'),
    }),
  },
  'GET /api/v1/transactions/list/export': {
    kind: 'file',
    summary:
      'Export the filtered payment records as .xlsx. Requires the header X-DOWNLOAD: 1; the response header X-Total-Rows has the number of rows.',
    query: exportQuery(paymentFilter),
    data: z.any(),
  },
  'GET /api/v1/transactions/search': {
    summary:
      'Find payments by the beginning of an order number, a deposit address or a transaction hash, or by price; at most 10',
    query: z.strictObject({ text: required(128) }),
    data: z.object({
      list: z.array(
        z.object({
          trade_no: z.string(),
          out_trade_no: z.string(),
          title: z.string(),
          usdt_amount: money,
          fiat_name: z.string(),
          fiat_amount: money,
          status: z.int(),
          created_time: unixSeconds,
        }),
      ),
    }),
  },
  'GET /api/v1/transactions/detail': {
    summary: 'Get a payment with its history and callbacks',
    query: z.strictObject({ trade_no: tradeNo }),
    data: paymentRecord.extend({
      subject: z.string(),
      attach: z.string(),
      metadata,
      tolerance_permille: z.int(),
      mixed_payment: z.boolean(),
      rate: z.object({ price: money, source: z.string(), time: unixSeconds, spread: money }).nullable(),
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
    summary: 'Mark a payment as paid or invalid, with a reason. Moves no money',
    body: z.strictObject({
      trade_no: tradeNo,
      as: z.enum(['paid', 'invalid']),
      reason: required(200),
      proof: proof.optional(),
    }),
    data: empty,
  },
})
