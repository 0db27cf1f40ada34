import { z } from 'zod'
import { withdrawalStatus } from '../codes.ts'
import { proofMethod } from '../identity/routes.ts'
import { describeField } from '../kit/describe.ts'
import { readingRoles, refundingRoles, refundReadingRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  amount,
  codeFilter,
  decimalAmount,
  emptyObject,
  exportQuery,
  id,
  listOf,
  optionalText,
  outTradeNo,
  paging,
  proof,
  requiredText,
  timeRange,
  tradeNo,
  unixSeconds,
} from '../kit/schemas.ts'

/** How a refund is measured. */
export const refundBasis = z
  .enum(['token', 'fiat'])
  .default('token')
  .meta(
    describeField({
      en: 'token: as paid; fiat: what the price of the order is worth in the token today, at most what was paid',
      'zh-CN': 'token（默认）：按支付的代币；fiat：按订单价格今日折合的代币，不超过实付金额',
    }),
  )

/** What is given back, how it is measured, and who pays the gas. */
const input = {
  trade_no: tradeNo,
  kind: z.enum(['surplus', 'part', 'all']),
  basis: refundBasis,
  gas_payer: z.enum(['merchant', 'payer']),
  amount: amount.optional().describe('In the token of the payment, for a part'),
}

const terms = {
  amount: decimalAmount.describe('Amount that counts against the payment'),
  gas: decimalAmount,
  receives: decimalAmount.describe('Amount that arrives'),
  total: decimalAmount.describe('Amount taken from the balance'),
}

const refundRow = z.object({
  id: z.string(),
  trade_no: z.string(),
  out_trade_no: z.string(),
  title: z.string().describe('What was sold, of a payment by a payment link; empty for others'),
  appid: z.string(),
  apply_name: z.string(),
  status: z.int().describe('See withdrawalStatus'),
  can_cancel: z.boolean(),
  kind: input.kind,
  gas_payer: input.gas_payer,
  fiat_name: z.string().describe('Currency of the order; empty for USDT'),
  fiat_amount: decimalAmount.describe('What the order asks in that currency'),
  token: z.string(),
  chain: z.string(),
  address: z.string(),
  ...terms,
  usdt_value: decimalAmount,
  reason: z.string(),
  failure: z.string().describe('Why it failed or was voided'),
  txid: z.string(),
  browser_url: z.string(),
  created_time: unixSeconds,
  updated_time: unixSeconds,
})

const refundFilter = {
  ...timeRange,
  status: codeFilter(withdrawalStatus),
  token_id: id.optional(),
  appid: id.optional(),
  trade_no: tradeNo.optional(),
  order: outTradeNo.optional().describe('Order number, yours or the platform’s'),
}

export const refundRoutes = defineRoutes({
  'GET /api/v1/transactions/refund/cost': {
    who: refundingRoles,
    summary: 'Quote a refund: what can be given back, gas, and the amount that arrives',
    query: z.strictObject({
      ...input,
      way: z.enum(['address', 'link']).optional().describe('A link needs no balance until it is claimed'),
    }),
    data: z.object({
      token_id: z.string(),
      token: z.string(),
      chain: z.string(),
      network_id: z.string(),
      paid: decimalAmount.describe('Credited amount of the payment'),
      refunded: decimalAmount.describe('Given back already, or on its way'),
      surplus: decimalAmount,
      fiat_worth: decimalAmount.describe(
        'What the price of the order is worth in the token today; empty without a price in a currency',
      ),
      balance: decimalAmount,
      ...terms,
      refused: z
        .string()
        .describe('Why the request would be refused now, in the language of the request; empty if it would not'),
      methods: z.array(proofMethod),
      limit: decimalAmount
        .optional()
        .describe('What the person may refund within 24 hours, in USDT; absent for who has no limit'),
      left: decimalAmount.optional().describe('What is left of it'),
      senders: z.array(z.string()).describe('Addresses that paid; they may belong to an exchange'),
    }),
  },
  'POST /api/v1/transactions/refund': {
    who: refundingRoles,
    summary: 'Give back a payment, or a part of it, to an address. The amount is reserved at once',
    body: z.strictObject({
      ...input,
      address: requiredText(128),
      reason: optionalText(200).default(''),
      proof: proof.optional(),
    }),
    data: z.object({ id: z.string() }),
  },
  'POST /api/v1/transactions/refund/cancel': {
    who: refundingRoles,
    summary: 'Cancel a refund that is not being sent yet',
    body: z.strictObject({ id: tradeNo }),
    data: emptyObject,
  },
  'GET /api/v1/transactions/refund-list': {
    who: refundReadingRoles,
    replica: true,
    summary: 'List refunds, newest first',
    query: z.strictObject({ ...paging, ...refundFilter }),
    data: listOf(refundRow),
  },
  'GET /api/v1/transactions/refund-list/export': {
    who: readingRoles,
    kind: 'file',
    summary:
      'Export the filtered refunds as .xlsx. Requires the header X-DOWNLOAD: 1; the response header X-Total-Rows has the number of rows.',
    query: exportQuery(refundFilter),
    data: z.any(),
  },
})
