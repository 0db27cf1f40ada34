import { z } from 'zod'
import { currency } from './chains.ts'
import { paymentExceptions, paymentStatus } from './codes.ts'
import { listed, paymentLabels } from './labels.ts'
import { limits } from './limits.ts'
import { chainConfirmation } from './payments.ts'
import { defineRoutes } from './route.ts'
import {
  amount,
  empty,
  filterBy,
  id,
  listOf,
  money,
  optionalText,
  outTradeNo,
  paging,
  required,
  timeRange,
  tradeNo,
  unixSeconds,
  urlOrEmpty,
} from './schemas.ts'

/** A payment as the merchant's server sees it. */
export const order = z
  .object({
    trade_no: z.string().describe('Order number of the platform, 32 digits'),
    out_trade_no: z.string().describe('Your order number'),
    appid: z.string().describe('The application it belongs to'),
    status: z.int().describe(listed(paymentStatus, paymentLabels.en)),
    exception: z.enum(paymentExceptions).describe('What is unusual about the money that came'),
    usdt_amount: money.describe('Asked, in USDT'),
    fiat_name: z.string().describe('The fiat currency asked in; empty for USDT'),
    fiat_amount: money.describe('Asked, in that currency'),
    rate: z
      .object({ price: money, source: z.string(), time: unixSeconds })
      .nullable()
      .describe('What one unit of the currency was worth in USDT when the payment was made; null for USDT'),
    token: z.string().describe('Empty until the payer has chosen, as are chain, chain_id and address'),
    chain: z.string().describe('The name of the chain'),
    chain_id: z.string().describe('The id of the chain, as in the list of currencies'),
    amount: money.describe('Asked, in `token`'),
    paid_amount: money.describe('Credited so far, in `token`'),
    fees: money.describe('Our fee, in `token`'),
    address: z.string().describe('Where the payer sends to'),
    subject: z.string(),
    attach: z.string().describe('As you gave it'),
    pay_url: z.string().describe('Send your customer here'),
    created_time: unixSeconds,
    expire_time: unixSeconds.describe('Until when it can be paid'),
    paid_time: unixSeconds.describe('When enough had come; 0 while not paid'),
    deposits: z
      .array(chainConfirmation)
      .describe('The transfers that were seen, oldest first; of more than 100 the last 100'),
  })
  .meta({
    id: 'Order',
    description: 'A payment. Amounts are decimal strings, never numbers; times are unix seconds, 0 when there is none',
  })

const createOrder = z
  .strictObject({
    out_trade_no: outTradeNo.describe(
      'Your order number, unique per application: letters, digits, - _ . and : (1 to 64)',
    ),
    amount: amount.describe('Decimal string, in `currency`'),
    currency: z
      .string()
      .regex(/^[A-Z]{3,5}$/)
      .default('USDT')
      .describe('USDT or a fiat currency such as USD, EUR, CNY'),
    chain: id
      .optional()
      .describe('The id of a chain. With `token` it fixes what is paid in; otherwise the payer chooses'),
    token: required(20).optional().describe('The token on that chain'),
    subject: optionalText(128).default('').describe('What the payer reads'),
    attach: optionalText(512).default('').describe('Given back unchanged in answers and callbacks'),
    return_url: urlOrEmpty.default('').describe('Where the payer can go when it is over'),
    notify_url: urlOrEmpty.optional().describe('Instead of the notify URL of the application'),
    expires_in: z
      .int()
      .min(limits.paymentTtlSecondsMin)
      .max(limits.paymentTtlSecondsMax)
      .default(limits.paymentTtlSecondsDefault)
      .describe('Seconds to pay within'),
  })
  .refine(value => (value.chain === undefined) === (value.token === undefined), {
    error: 'parameter_error',
    path: ['chain'],
  })
  .meta({ id: 'NewOrder' })

export const payRoutes = defineRoutes({
  'POST /api/v1/pay/orders': {
    auth: 'key',
    submission: true,
    summary: 'Create a payment. The same out_trade_no with the same body gives the first one again',
    body: createOrder,
    data: order,
  },
  'GET /api/v1/pay/orders': {
    auth: 'key',
    summary: 'Payments of the application, newest first',
    query: z.strictObject({
      ...paging,
      ...timeRange,
      status: filterBy(paymentStatus),
      out_trade_no: outTradeNo.optional(),
    }),
    data: listOf(order),
  },
  'GET /api/v1/pay/orders/:trade_no': {
    auth: 'key',
    summary: 'One payment, by trade_no, or by the own number as out:<out_trade_no>',
    params: z.strictObject({ trade_no: z.union([tradeNo, z.string().regex(/^out:[A-Za-z0-9._:-]{1,64}$/)]) }),
    data: order,
  },
  'POST /api/v1/pay/orders/:trade_no/close': {
    auth: 'key',
    submission: true,
    summary: 'Close a payment that nothing has been paid for',
    params: z.strictObject({ trade_no: tradeNo }),
    body: empty.optional(),
    data: order,
  },
  'GET /api/v1/pay/currencies': {
    auth: 'key',
    summary: 'Chains with the tokens accepted on them',
    data: z.object({ list: z.array(currency) }),
  },
  'GET /api/v1/pay/balances': {
    auth: 'key',
    summary: 'Balances of the merchant per token and chain',
    data: z.object({
      list: z.array(
        z
          .object({
            token: z.string(),
            chain: z.string(),
            chain_id: z.string(),
            available: money.describe('What can be withdrawn or refunded'),
            held: money.describe('Reserved by withdrawals and refunds under way'),
            usdt_value: money.describe('Of both, at the last known price'),
          })
          .meta({ id: 'Balance' }),
      ),
      total_usdt: money,
    }),
  },
})

/** What the payer sees, and nothing beyond it. */
export const checkout = z
  .object({
    trade_no: z.string(),
    merchant_name: z.string().describe('The name of the application: by that the payer knows whom to pay'),
    merchant_url: z.string().describe('Its website, or empty'),
    logo: z.string(),
    subject: z.string(),
    status: z.int(),
    exception: z.enum(paymentExceptions),
    usdt_amount: money,
    fiat_name: z.string(),
    fiat_amount: money,
    now: unixSeconds.describe('The server’s clock, so that the time left is right on any phone'),
    expire_time: unixSeconds,
    return_url: z.string(),
    delayed: z.boolean().describe('The chain cannot be read at the moment: nothing is lost, it takes longer'),
    choices: z
      .array(
        z.object({
          asset_id: z.string(),
          token: z.string(),
          chain: z.string(),
          net_work: z.string(),
          logo: z.string(),
          chain_logo: z.string(),
          amount: money,
        }),
      )
      .describe('What can be paid in; empty once money was seen'),
    chosen: z
      .object({
        asset_id: z.string(),
        token: z.string(),
        chain: z.string(),
        net_work: z.string(),
        logo: z.string(),
        chain_logo: z.string(),
        contract: z.string(),
        decimals: z.int(),
        address: z.string(),
        amount: money.describe('Asked in all'),
        paid: money.describe('Credited so far'),
        pending: money.describe('Seen, waiting for confirmations'),
        rest: money.describe(
          'Still to be paid: asked, less what is credited and what is on its way; 0 once that is enough',
        ),
        surplus: money.describe('Credited beyond what was asked'),
        uri: z
          .string()
          .describe(
            'Payment link for the rest: EIP-681, or the plain address where a chain has no such links; empty when nothing is to be paid',
          ),
      })
      .nullable(),
    deposits: z.array(
      chainConfirmation.pick({
        txid: true,
        browser_url: true,
        token: true,
        amount: true,
        confirmations: true,
        required_confirmations: true,
        state: true,
        late: true,
        seen_time: true,
      }),
    ),
  })
  .meta({ id: 'Checkout' })

const params = z.strictObject({ trade_no: tradeNo })

export const checkoutRoutes = defineRoutes({
  'GET /api/v1/checkout/:trade_no': {
    auth: 'public',
    summary: 'A payment as its payer sees it',
    params,
    data: checkout,
  },
  'POST /api/v1/checkout/:trade_no/choose': {
    auth: 'public',
    submission: true,
    summary: 'Choose chain and token; leases the address and fixes the exact amount',
    params,
    body: z.strictObject({ asset_id: id }),
    data: checkout,
  },
  'GET /api/v1/checkout/:trade_no/events': {
    auth: 'public',
    kind: 'events',
    summary: 'Server-sent events: the payment after every change',
    params,
    data: checkout,
  },
})
