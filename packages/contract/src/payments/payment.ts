import { z } from 'zod'
import { paymentExceptions, paymentStatus } from '../codes.ts'
import type { ErrorName } from '../errors.ts'
import { describeField } from '../kit/describe.ts'
import { limits } from '../kit/limits.ts'
import {
  addressIndex,
  amount,
  currencyCode,
  decimalAmount,
  id,
  integerBetween,
  metadata,
  optionalText,
  outTradeNo,
  requiredText,
  unixSeconds,
  urlOrEmpty,
} from '../kit/schemas.ts'
import { formatCodeList, paymentLabels } from '../labels.ts'
import { chainConfirmation } from './deposit.ts'

export const paymentStatusCode = z
  .int()
  .meta(describeField(formatCodeList(paymentStatus, paymentLabels)))
  .meta({ enum: Object.values(paymentStatus) })

/** The issue of a field that is missing while another is given. */
const together = (missing: string, given: string) => ({
  path: [missing],
  error: 'parameter_error' satisfies ErrorName,
  params: { allowed: { en: `required together with ${given}`, 'zh-CN': `须与 ${given} 同时提供` } },
})

/** What a merchant's server sends to create one. */
export const newOrder = z
  .strictObject({
    out_trade_no: outTradeNo.meta(
      describeField({
        en: 'Your order number, unique per application: 1 to 64 printable characters, with spaces only between others',
        'zh-CN': '商户订单号，在同一应用内唯一：1 至 64 个可打印字符，空格只能位于其他字符之间',
      }),
    ),
    amount: amount.meta(
      describeField({
        en: 'Amount in `currency`, as a decimal string',
        'zh-CN': '以 `currency` 计价的金额，十进制字符串',
      }),
    ),
    currency: currencyCode.default('USDT').meta(
      describeField({
        en: 'USDT, another token such as ETH or USDC, or a fiat currency such as USD, EUR or CNY; by default USDT',
        'zh-CN': 'USDT、ETH 或 USDC 等其他代币，或 USD、EUR、CNY 等法币；默认 USDT',
      }),
    ),
    chain: id.optional().meta(
      describeField({
        en: 'ID of a chain. Together with `token`, fixes the asset to pay in; without them, the payer chooses',
        'zh-CN': '链的 ID。与 `token` 一起指定支付币种；未指定时由付款人选择',
      }),
    ),
    token: requiredText(20)
      .optional()
      .meta(describeField({ en: 'Token on that chain', 'zh-CN': '该链上的代币' })),
    subject: optionalText(128)
      .default('')
      .meta(describeField({ en: 'Description shown to the payer', 'zh-CN': '向付款人显示的说明' })),
    attach: optionalText(512)
      .default('')
      .meta(
        describeField({
          en: 'Custom data, returned unchanged in responses and callbacks',
          'zh-CN': '自定义数据，在响应和回调中原样返回',
        }),
      ),
    metadata: metadata.optional().meta(
      describeField({
        en: 'Custom data as an object of texts, numbers and booleans, returned in responses and callbacks. At most 50 keys and 16 kB. Orders can be listed by it',
        'zh-CN':
          '自定义数据，由文本、数字和布尔值组成的对象，在响应和回调中返回。最多 50 个键，不超过 16 kB；可按其查询订单',
      }),
    ),
    return_url: urlOrEmpty.default('').meta(
      describeField({
        en: 'URL to which the payer can return from the checkout page',
        'zh-CN': '付款人从收银台返回的网址',
      }),
    ),
    cancel_url: urlOrEmpty.optional().meta(
      describeField({
        en: 'URL to which the payer can return without paying; by default, there is no such link',
        'zh-CN': '付款人不付款而返回的网址；未设置时不显示该链接',
      }),
    ),
    auto_redirect: z
      .boolean()
      .optional()
      .meta(
        describeField({
          en: 'Whether the checkout page goes to return_url once the order is paid, and to cancel_url once it is closed. It first shows where',
          'zh-CN': '订单支付后收银台是否自动前往 return_url，订单关闭后是否自动前往 cancel_url。跳转前会显示目标网站',
        }),
      ),
    tolerance_permille: integerBetween(0, 50)
      .optional()
      .meta(
        describeField({
          en: 'Shortfall up to which the order counts as paid, in thousandths; at most, and by default, the application’s',
          'zh-CN': '少付不超过该比例时仍视为已支付，单位为千分之一；默认且最多为应用的设置',
        }),
      ),
    notify_url: urlOrEmpty.optional().meta(
      describeField({
        en: 'Notify URL of this order, instead of the application’s',
        'zh-CN': '该订单的回调地址，代替应用的回调地址',
      }),
    ),
    expires_in: integerBetween(limits.paymentTtlSecondsMin, limits.paymentTtlSecondsMax)
      .default(limits.paymentTtlSecondsDefault)
      .meta(
        describeField({ en: 'Seconds until the order expires; by default 1800', 'zh-CN': '订单有效秒数；默认 1800' }),
      ),
  })
  .refine(({ chain, token }) => chain === undefined || token !== undefined, together('token', 'chain'))
  .refine(({ chain, token }) => token === undefined || chain !== undefined, together('chain', 'token'))
  .meta({ id: 'NewOrder', description: 'An order to create' })

/** A payment as the merchant's server sees it: on the wire, an order. */
export const order = z
  .object({
    trade_no: z
      .string()
      .meta(describeField({ en: 'Order number assigned by Coffer, 32 digits', 'zh-CN': '平台订单号，32 位数字' })),
    out_trade_no: z.string().meta(describeField({ en: 'Your order number', 'zh-CN': '商户订单号' })),
    appid: z
      .string()
      .meta(describeField({ en: 'ID of the application that created the order', 'zh-CN': '创建订单的应用 ID' })),
    status: paymentStatusCode,
    exception: z.enum(paymentExceptions).meta(
      describeField({
        en: 'Deviation of the received amount or its time from the order',
        'zh-CN': '到账金额或时间与订单的差异',
      }),
    ),
    usdt_amount: decimalAmount.meta(describeField({ en: 'Requested amount in USDT', 'zh-CN': '订单金额，以 USDT 计' })),
    fiat_name: z.string().meta(
      describeField({
        en: 'Fiat currency of the order; empty for USDT',
        'zh-CN': '订单的计价货币；以 USDT 计价时为空',
      }),
    ),
    fiat_amount: decimalAmount.meta(
      describeField({ en: 'Requested amount in that currency', 'zh-CN': '订单金额，以该货币计' }),
    ),
    rate: z
      .object({
        price: decimalAmount.meta(
          describeField({
            en: 'USDT for one unit of the currency, with the spread',
            'zh-CN': '一单位货币折合的 USDT，已含加价',
          }),
        ),
        source: z.string().meta(
          describeField({
            en: '`fixed`, `own` (a URL of the merchant), or the price sources of Coffer, separated by commas',
            'zh-CN': '`fixed`（固定汇率）、`own`（商户自有网址），或 Coffer 的价格来源，以逗号分隔',
          }),
        ),
        time: unixSeconds.meta(describeField({ en: 'When the price was read', 'zh-CN': '价格的读取时间' })),
        spread: decimalAmount.meta(
          describeField({
            en: 'Percent that the price includes; 0 for none',
            'zh-CN': '价格已包含的加价百分比，无则为 0',
          }),
        ),
      })
      .nullable()
      .meta(
        describeField({
          en: 'Exchange rate from the currency to USDT, locked when the order was created; null for USDT',
          'zh-CN': '创建订单时锁定的计价货币对 USDT 汇率；以 USDT 计价时为 null',
        }),
      ),
    token: z.string().meta(
      describeField({
        en: 'Token to pay in. Like chain, chain_id and address, empty until the payer has chosen one',
        'zh-CN': '支付代币。与 chain、chain_id 和 address 一样，付款人选择之前为空',
      }),
    ),
    chain: z.string().meta(describeField({ en: 'Name of the chain', 'zh-CN': '链的名称' })),
    chain_id: z
      .string()
      .meta(describeField({ en: 'ID of the chain, as in the list of currencies', 'zh-CN': '链的 ID，见币种列表' })),
    amount: decimalAmount.meta(
      describeField({ en: 'Requested amount in `token`', 'zh-CN': '应付金额，以 `token` 计' }),
    ),
    paid_amount: decimalAmount.meta(
      describeField({ en: 'Amount credited so far, in `token`', 'zh-CN': '已入账金额，以 `token` 计' }),
    ),
    fees: decimalAmount.meta(describeField({ en: 'Fee charged, in `token`', 'zh-CN': '收取的手续费，以 `token` 计' })),
    fee_bps: z
      .int()
      .nullable()
      .meta(
        describeField({
          en: 'Rate of the fee that was applied, in hundredths of a percent; null until a deposit is credited, and for earlier orders of which it is not known',
          'zh-CN': '实际采用的手续费率，单位为万分之一；首笔转账入账前以及无法得知费率的早期订单为 null',
        }),
      ),
    address: z.string().meta(describeField({ en: 'Deposit address', 'zh-CN': '收款地址' })),
    address_index: addressIndex,
    subject: z.string().meta(describeField({ en: 'Description shown to the payer', 'zh-CN': '向付款人显示的说明' })),
    attach: z.string().meta(describeField({ en: 'Your custom data, unchanged', 'zh-CN': '您的自定义数据，原样返回' })),
    metadata: metadata.meta(describeField({ en: 'Your custom data as an object', 'zh-CN': '您的自定义数据对象' })),
    tolerance_permille: z.int().meta(
      describeField({
        en: 'Shortfall up to which the order counts as paid, in thousandths of the requested amount',
        'zh-CN': '少付不超过该比例时仍视为已支付，单位为订单金额的千分之一',
      }),
    ),
    pay_url: z.string().meta(
      describeField({
        en: 'URL of the checkout page. Redirect your customer to it',
        'zh-CN': '收银台网址，请将客户引导至此',
      }),
    ),
    created_time: unixSeconds.meta(describeField({ en: 'When the order was created', 'zh-CN': '订单创建时间' })),
    expire_time: unixSeconds.meta(describeField({ en: 'When the order expires', 'zh-CN': '订单过期时间' })),
    paid_time: unixSeconds.meta(
      describeField({ en: 'When the order was paid; 0 until then', 'zh-CN': '支付成功时间；未支付时为 0' }),
    ),
    deposits: z.array(chainConfirmation).meta(
      describeField({
        en: 'Transfers received, oldest first; at most the latest 100',
        'zh-CN': '收到的转账，最早的在前；最多列出最近 100 笔',
      }),
    ),
  })
  .meta({
    id: 'Order',
    description: 'A payment. Amounts are decimal strings, never numbers; times are Unix seconds, 0 if not set',
  })

/** An order of the documentation's examples, before its payer has chosen a token. */
export const exampleOrder: z.infer<typeof order> = {
  trade_no: '20261121093000482915736048120957',
  out_trade_no: 'A-1001',
  appid: 'app_5d1f0c2e7b8a94d36e10',
  status: paymentStatus.open,
  exception: 'none',
  usdt_amount: '19.91',
  fiat_name: 'USD',
  fiat_amount: '19.90',
  rate: { price: '1.0005', source: 'median', time: 1795253390, spread: '0' },
  token: '',
  chain: '',
  chain_id: '',
  amount: '0',
  paid_amount: '0',
  fees: '0',
  fee_bps: null,
  address: '',
  address_index: null,
  subject: 'Two tickets',
  attach: '',
  metadata: { customer: '42' },
  tolerance_permille: 0,
  pay_url: 'https://pay.example/pay/20261121093000482915736048120957',
  created_time: 1795253400,
  expire_time: 1795255200,
  paid_time: 0,
  deposits: [],
}

/** A payment in the records of the back-office: what an order shows, without what only its detail does. */
export const paymentRecord = order
  .omit({
    address_index: true,
    attach: true,
    chain_id: true,
    deposits: true,
    fee_bps: true,
    metadata: true,
    pay_url: true,
    rate: true,
    subject: true,
    tolerance_permille: true,
  })
  .extend({
    apply_name: z.string(),
    title: z.string().describe('What was sold by a payment link or at the counter; empty for others'),
    contract: z.string(),
    logo: z.string(),
    chain_confirmation_information: z.array(chainConfirmation),
    collected_by: z
      .object({ id: z.string(), email: z.string() })
      .optional()
      .describe('The person who collected it, at the counter or by a link, in a shop of several people'),
  })
