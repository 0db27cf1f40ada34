import { z } from 'zod'
import { closedChain, currency } from '../chains/routes.ts'
import { paymentExceptions, paymentStatus } from '../codes.ts'
import type { ErrorName } from '../errors.ts'
import { limits } from '../kit/limits.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  addressIndex,
  amount,
  currencyCode,
  empty,
  filterBy,
  id,
  listOf,
  metadata,
  money,
  nextCursor,
  optionalText,
  orderRef,
  outTradeNo,
  paging,
  required,
  text,
  timeRange,
  tradeNo,
  unixSeconds,
  urlOrEmpty,
  whole,
} from '../kit/schemas.ts'
import { codeList, paymentLabels } from '../labels.ts'
import { chainConfirmation, payerDeposit, paymentSearch } from './routes.ts'

/** The issue of a field that is missing while another is given. */
const together = (missing: string, given: string) => ({
  path: [missing],
  error: 'parameter_error' satisfies ErrorName,
  params: { allowed: { en: `required together with ${given}`, 'zh-CN': `须与 ${given} 同时提供` } },
})

const statusCode = z
  .int()
  .describe(codeList(paymentStatus, paymentLabels.en))
  .meta({ enum: Object.values(paymentStatus) })

/** A payment as the merchant's server sees it: on the wire, an order. */
export const order = z
  .object({
    trade_no: z.string().describe('Order number assigned by Coffer, 32 digits'),
    out_trade_no: z.string().describe('Your order number'),
    appid: z.string().describe('ID of the application that created the order'),
    status: statusCode,
    exception: z.enum(paymentExceptions).describe('Deviation of the received amount or its time from the order'),
    usdt_amount: money.describe('Requested amount in USDT'),
    fiat_name: z.string().describe('Fiat currency of the order; empty for USDT'),
    fiat_amount: money.describe('Requested amount in that currency'),
    rate: z
      .object({
        price: money.describe('USDT for one unit of the currency, with the spread'),
        source: z
          .string()
          .describe('`fixed`, `own` (a URL of the merchant), or the price sources of Coffer, separated by commas'),
        time: unixSeconds.describe('When the price was read'),
        spread: money.describe('Percent that the price includes; 0 for none'),
      })
      .nullable()
      .describe('Exchange rate from the currency to USDT, locked when the order was created; null for USDT'),
    token: z
      .string()
      .describe('Token to pay in. Like chain, chain_id and address, empty until the payer has chosen one'),
    chain: z.string().describe('Name of the chain'),
    chain_id: z.string().describe('ID of the chain, as in the list of currencies'),
    amount: money.describe('Requested amount in `token`'),
    paid_amount: money.describe('Amount credited so far, in `token`'),
    fees: money.describe('Fee charged, in `token`'),
    address: z.string().describe('Deposit address'),
    address_index: addressIndex,
    subject: z.string().describe('Description shown to the payer'),
    attach: z.string().describe('Your custom data, unchanged'),
    metadata: metadata.describe('Your custom data as an object'),
    tolerance_permille: z
      .int()
      .describe('Shortfall up to which the order counts as paid, in thousandths of the requested amount'),
    pay_url: z.string().describe('URL of the checkout page. Redirect your customer to it'),
    created_time: unixSeconds.describe('When the order was created'),
    expire_time: unixSeconds.describe('When the order expires'),
    paid_time: unixSeconds.describe('When the order was paid; 0 until then'),
    deposits: z.array(chainConfirmation).describe('Transfers received, oldest first; at most the latest 100'),
  })
  .meta({
    id: 'Order',
    description: 'A payment. Amounts are decimal strings, never numbers; times are Unix seconds, 0 if not set',
  })

const createOrder = z
  .strictObject({
    out_trade_no: outTradeNo.describe(
      'Your order number, unique per application: 1 to 64 printable characters, with spaces only between others',
    ),
    amount: amount.describe('Amount in `currency`, as a decimal string'),
    currency: currencyCode
      .default('USDT')
      .describe('USDT, another token such as ETH or USDC, or a fiat currency such as USD, EUR or CNY; by default USDT'),
    chain: id
      .optional()
      .describe('ID of a chain. Together with `token`, fixes the asset to pay in; without them, the payer chooses'),
    token: required(20).optional().describe('Token on that chain'),
    subject: optionalText(128).default('').describe('Description shown to the payer'),
    attach: optionalText(512).default('').describe('Custom data, returned unchanged in responses and callbacks'),
    metadata: metadata
      .optional()
      .describe(
        'Custom data as an object of texts, numbers and booleans, returned in responses and callbacks. At most 50 keys and 16 kB. Orders can be listed by it',
      ),
    return_url: urlOrEmpty.default('').describe('URL to which the payer can return from the checkout page'),
    cancel_url: urlOrEmpty
      .optional()
      .describe('URL to which the payer can return without paying; by default, there is no such link'),
    auto_redirect: z
      .boolean()
      .optional()
      .describe(
        'Whether the checkout page goes to return_url once the order is paid, and to cancel_url once it is closed. It first shows where',
      ),
    tolerance_permille: whole(0, 50)
      .optional()
      .describe(
        'Shortfall up to which the order counts as paid, in thousandths; at most, and by default, the application’s',
      ),
    notify_url: urlOrEmpty.optional().describe('Notify URL of this order, instead of the application’s'),
    expires_in: whole(limits.paymentTtlSecondsMin, limits.paymentTtlSecondsMax)
      .default(limits.paymentTtlSecondsDefault)
      .describe('Seconds until the order expires; by default 1800'),
  })
  .refine(({ chain, token }) => chain === undefined || token !== undefined, together('token', 'chain'))
  .refine(({ chain, token }) => token === undefined || chain !== undefined, together('chain', 'token'))
  .meta({ id: 'NewOrder', description: 'An order to create' })

export const payRoutes = defineRoutes({
  'POST /api/v1/pay/orders': {
    auth: 'key',
    summary: {
      en: 'Create an order. The same out_trade_no and body return the existing order',
      'zh-CN': '创建订单。out_trade_no 和内容均相同时返回原有订单',
    },
    docs: {
      id: 'createOrder',
      tag: 'Orders',
      errors: [
        'parameter_error',
        'bad_amount',
        'bad_url',
        'url_forbidden',
        'https_needed',
        'amount_too_small',
        'amount_too_large',
        'metadata_too_large',
        'tolerance_too_large',
        'currency_not_supported',
        'price_unavailable',
        ...closedChain,
        'no_address_available',
        'order_conflict',
      ],
    },
    body: createOrder,
    data: order,
  },
  'GET /api/v1/pay/orders': {
    auth: 'key',
    summary: { en: 'List orders of the application, newest first', 'zh-CN': '查询应用的订单列表，最新的在前' },
    docs: { id: 'listOrders', tag: 'Orders', errors: ['parameter_error'] },
    query: z.strictObject({
      ...paging,
      ...timeRange,
      status: filterBy(paymentStatus)
        .describe('Status of the orders')
        .meta({ enum: Object.values(paymentStatus) }),
      out_trade_no: outTradeNo.optional().describe('Your order number'),
      ...paymentSearch,
      cursor: text(text => /^\d{1,10}-\d{32}$/.test(text), 'parameter_error', {
        en: 'the `next_cursor` of a page',
        'zh-CN': '某一页返回的 `next_cursor`',
      })
        .optional()
        .describe(
          '`next_cursor` of the page before, instead of `current`: new orders do not shift the pages. Send the same filters. With `text`, pages go on beyond its newest 2,000',
        ),
    }),
    data: listOf(order).extend({
      next_cursor: nextCursor,
    }),
  },
  'GET /api/v1/pay/orders/:trade_no': {
    auth: 'key',
    summary: {
      en: 'Get an order by trade_no, or by your own number as out:<out_trade_no>',
      'zh-CN': '按 trade_no 查询订单，或以 out:<out_trade_no> 按商户订单号查询',
    },
    docs: { id: 'getOrder', tag: 'Orders', errors: ['bad_trade_no', 'transaction_not_exist'] },
    params: z.strictObject({ trade_no: orderRef.describe('Order number assigned by Coffer, or `out:` and your own') }),
    data: order,
  },
  'POST /api/v1/pay/orders/:trade_no/close': {
    auth: 'key',
    summary: { en: 'Close an order for which nothing has been paid', 'zh-CN': '关闭尚未收到款项的订单' },
    docs: {
      id: 'closeOrder',
      tag: 'Orders',
      errors: ['bad_trade_no', 'transaction_not_exist', 'transaction_cannot_close'],
    },
    params: z.strictObject({ trade_no: tradeNo.describe('Order number assigned by Coffer') }),
    body: empty.optional(),
    data: order,
  },
  'POST /api/v1/pay/orders/:trade_no/mark-paid': {
    auth: 'key',
    summary: {
      en: 'Mark an order as paid for which nothing was received. Moves no money',
      'zh-CN': '将未收到任何转账的订单标记为已支付，不涉及资金变动',
    },
    docs: {
      id: 'markOrderPaid',
      tag: 'Orders',
      errors: [
        'bad_trade_no',
        'parameter_error',
        'marks_not_allowed',
        'transaction_not_exist',
        'transaction_cannot_mark',
      ],
    },
    params: z.strictObject({ trade_no: tradeNo.describe('Order number assigned by Coffer') }),
    body: z
      .strictObject({ reason: required(200).describe('Why, as the history of the payment shows it') })
      .meta({ id: 'PaidMark', description: 'A mark of an order as paid' }),
    data: order,
  },
  'GET /api/v1/pay/currencies': {
    auth: 'key',
    summary: { en: 'List chains with the tokens accepted on them', 'zh-CN': '查询支持的链及其代币' },
    docs: { id: 'listCurrencies', tag: 'Account', errors: [] },
    data: z.object({ list: z.array(currency).describe('Chains, in your order') }),
  },
  'GET /api/v1/pay/balances': {
    auth: 'key',
    summary: { en: 'Get the merchant’s balances per token and chain', 'zh-CN': '查询商户在各链各代币上的余额' },
    docs: { id: 'getBalances', tag: 'Account', errors: [] },
    data: z.object({
      list: z
        .array(
          z
            .object({
              token: z.string().describe('Symbol of the token'),
              chain: z.string().describe('Name of the chain'),
              chain_id: z.string().describe('ID of the chain'),
              available: money.describe('Amount available for withdrawals and refunds'),
              held: money.describe('Amount reserved for withdrawals and refunds in progress'),
              usdt_value: money.describe('Value of `available` and `held` in USDT, at the last known price'),
            })
            .meta({ id: 'Balance', description: 'A balance in one token on one chain' }),
        )
        .describe('One entry per token and chain'),
      total_usdt: money.describe('Value of all balances in USDT'),
    }),
  },
})

const assetFields = {
  asset_id: z.string().describe('ID of the asset'),
  token: z.string().describe('Symbol of the token'),
  chain: z.string().describe('Name of the chain'),
  net_work: z.string().describe('Token standard; empty for the native coin'),
  logo: z.string().describe('URL of the token’s logo'),
  chain_logo: z.string().describe('URL of the chain’s logo'),
}

/** A payment as the payer sees it. Must not reveal anything else. */
export const checkout = z
  .object({
    trade_no: z.string().describe('Order number assigned by Coffer, 32 digits'),
    out_trade_no: z.string().describe('Your order number, which the payer names when asking you about the payment'),
    sandbox: z.boolean().describe('Whether the server is a sandbox, where no money is real'),
    merchant_name: z.string().describe('Name of the application, shown as the payee'),
    merchant_url: z.string().describe('Website of the application, or empty'),
    logo: z.string().describe('URL of the payee’s logo, or empty'),
    subject: z.string().describe('Description of the order'),
    status: statusCode,
    exception: z.enum(paymentExceptions).describe('Deviation of the received amount or its time from the order'),
    usdt_amount: money.describe('Requested amount in USDT'),
    fiat_name: z.string().describe('Currency of the order; empty for USDT'),
    fiat_amount: money.describe('Requested amount in that currency'),
    rate: z
      .object({
        price: money.describe('USDT for one unit of the currency'),
        source: z.enum(['market', 'merchant']).describe('Who states it'),
      })
      .nullable()
      .describe('Rate of the currency to USDT, locked when the order was created; null for USDT'),
    now: unixSeconds.describe('Server time, to compute the remaining time independently of the device clock'),
    expire_time: unixSeconds.describe('When the order expires'),
    return_url: z.string().describe('URL to which the payer can return, or empty'),
    cancel_url: z.string().describe('URL to which the payer can return without paying, or empty'),
    auto_redirect: z.boolean().describe('Whether the page returns by itself once the payment has ended'),
    delayed: z
      .boolean()
      .describe('Whether reading the chain is delayed. Payments are not lost, but take longer to show'),
    choices: z
      .array(
        z.object({
          ...assetFields,
          amount: money.describe('Total amount to pay in this asset'),
        }),
      )
      .describe('Assets to choose from; empty once a transfer was detected'),
    chosen: z
      .object({
        ...assetFields,
        counted: z.array(z.string()).describe('Other tokens of the chain that count towards the payment'),
        contract: z.string().describe('Contract address; empty for the native coin'),
        decimals: z.int().describe('Decimal places of the token'),
        address: z.string().describe('Deposit address; every wallet reads it as a QR code'),
        amount: money.describe('Total amount to pay'),
        paid: money.describe('Amount credited so far'),
        pending: money.describe('Amount detected but not yet final'),
        rest: money.describe('Amount still to pay: the total less what is credited or pending; 0 once it suffices'),
        surplus: money.describe('Amount credited in excess of the total'),
        minimum: money.describe(
          'Transfers of less count only once they add up to it, or to what is still to pay; empty where there is no minimum',
        ),
        uri: z
          .string()
          .describe(
            'Payment link for the amount still to pay, only for wallets that support EIP-681: that of a token begins with its contract, to which other wallets send the tokens, for good. The address on chains without payment links; empty if nothing is left to pay',
          ),
      })
      .nullable()
      .describe('The chosen asset with address and amounts; null until the payer has chosen'),
    deposits: z.array(payerDeposit).describe('Transfers received, oldest first'),
  })
  .meta({ id: 'Checkout', description: 'A payment as its payer sees it' })

const params = z.strictObject({ trade_no: tradeNo.describe('Order number assigned by Coffer') })

export const checkoutRoutes = defineRoutes({
  'GET /api/v1/checkout/:trade_no': {
    auth: 'public',
    summary: { en: 'Get a payment as the payer sees it', 'zh-CN': '查询付款人看到的收款信息' },
    docs: { id: 'getCheckout', tag: 'Checkout', errors: ['bad_trade_no', 'transaction_not_exist'] },
    params,
    data: checkout,
  },
  'POST /api/v1/checkout/:trade_no/choose': {
    auth: 'public',
    summary: {
      en: 'Choose chain and token. Assigns the deposit address and the exact amount',
      'zh-CN': '选择链和代币。分配收款地址并确定准确金额',
    },
    docs: {
      id: 'chooseAsset',
      tag: 'Checkout',
      errors: ['bad_trade_no', 'transaction_not_exist', 'currency_not_supported', 'price_unavailable', ...closedChain],
    },
    params,
    body: z.strictObject({ asset_id: id.describe('ID of one of the `choices`') }),
    data: checkout,
  },
  'GET /api/v1/checkout/:trade_no/events': {
    auth: 'public',
    kind: 'events',
    summary: {
      en: 'Stream the payment as server-sent events after every change',
      'zh-CN': '以服务器推送事件订阅收款的每次变化',
    },
    docs: { id: 'followCheckout', tag: 'Checkout', errors: ['bad_trade_no', 'transaction_not_exist', 'busy'] },
    params,
    data: checkout,
  },
})
