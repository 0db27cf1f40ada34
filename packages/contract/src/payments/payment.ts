import { z } from 'zod'
import { paymentExceptions, paymentStatus } from '../codes.ts'
import { describe } from '../kit/describe.ts'
import { addressIndex, metadata, money, unixSeconds } from '../kit/schemas.ts'
import { codeList, paymentLabels } from '../labels.ts'
import { chainConfirmation } from './deposit.ts'

export const statusCode = z
  .int()
  .meta(describe(codeList(paymentStatus, paymentLabels)))
  .meta({ enum: Object.values(paymentStatus) })

/** A payment as the merchant's server sees it: on the wire, an order. */
export const order = z
  .object({
    trade_no: z
      .string()
      .meta(describe({ en: 'Order number assigned by Coffer, 32 digits', 'zh-CN': '平台订单号，32 位数字' })),
    out_trade_no: z.string().meta(describe({ en: 'Your order number', 'zh-CN': '商户订单号' })),
    appid: z
      .string()
      .meta(describe({ en: 'ID of the application that created the order', 'zh-CN': '创建订单的应用 ID' })),
    status: statusCode,
    exception: z.enum(paymentExceptions).meta(
      describe({
        en: 'Deviation of the received amount or its time from the order',
        'zh-CN': '到账金额或时间与订单的差异',
      }),
    ),
    usdt_amount: money.meta(describe({ en: 'Requested amount in USDT', 'zh-CN': '订单金额，以 USDT 计' })),
    fiat_name: z
      .string()
      .meta(
        describe({ en: 'Fiat currency of the order; empty for USDT', 'zh-CN': '订单的计价货币；以 USDT 计价时为空' }),
      ),
    fiat_amount: money.meta(describe({ en: 'Requested amount in that currency', 'zh-CN': '订单金额，以该货币计' })),
    rate: z
      .object({
        price: money.meta(
          describe({
            en: 'USDT for one unit of the currency, with the spread',
            'zh-CN': '一单位货币折合的 USDT，已含加价',
          }),
        ),
        source: z.string().meta(
          describe({
            en: '`fixed`, `own` (a URL of the merchant), or the price sources of Coffer, separated by commas',
            'zh-CN': '`fixed`（固定汇率）、`own`（商户自有网址），或 Coffer 的价格来源，以逗号分隔',
          }),
        ),
        time: unixSeconds.meta(describe({ en: 'When the price was read', 'zh-CN': '价格的读取时间' })),
        spread: money.meta(
          describe({ en: 'Percent that the price includes; 0 for none', 'zh-CN': '价格已包含的加价百分比，无则为 0' }),
        ),
      })
      .nullable()
      .meta(
        describe({
          en: 'Exchange rate from the currency to USDT, locked when the order was created; null for USDT',
          'zh-CN': '创建订单时锁定的计价货币对 USDT 汇率；以 USDT 计价时为 null',
        }),
      ),
    token: z.string().meta(
      describe({
        en: 'Token to pay in. Like chain, chain_id and address, empty until the payer has chosen one',
        'zh-CN': '支付代币。与 chain、chain_id 和 address 一样，付款人选择之前为空',
      }),
    ),
    chain: z.string().meta(describe({ en: 'Name of the chain', 'zh-CN': '链的名称' })),
    chain_id: z
      .string()
      .meta(describe({ en: 'ID of the chain, as in the list of currencies', 'zh-CN': '链的 ID，见币种列表' })),
    amount: money.meta(describe({ en: 'Requested amount in `token`', 'zh-CN': '应付金额，以 `token` 计' })),
    paid_amount: money.meta(
      describe({ en: 'Amount credited so far, in `token`', 'zh-CN': '已入账金额，以 `token` 计' }),
    ),
    fees: money.meta(describe({ en: 'Fee charged, in `token`', 'zh-CN': '收取的手续费，以 `token` 计' })),
    address: z.string().meta(describe({ en: 'Deposit address', 'zh-CN': '收款地址' })),
    address_index: addressIndex,
    subject: z.string().meta(describe({ en: 'Description shown to the payer', 'zh-CN': '向付款人显示的说明' })),
    attach: z.string().meta(describe({ en: 'Your custom data, unchanged', 'zh-CN': '您的自定义数据，原样返回' })),
    metadata: metadata.meta(describe({ en: 'Your custom data as an object', 'zh-CN': '您的自定义数据对象' })),
    tolerance_permille: z.int().meta(
      describe({
        en: 'Shortfall up to which the order counts as paid, in thousandths of the requested amount',
        'zh-CN': '少付不超过该比例时仍视为已支付，单位为订单金额的千分之一',
      }),
    ),
    pay_url: z.string().meta(
      describe({
        en: 'URL of the checkout page. Redirect your customer to it',
        'zh-CN': '收银台网址，请将客户引导至此',
      }),
    ),
    created_time: unixSeconds.meta(describe({ en: 'When the order was created', 'zh-CN': '订单创建时间' })),
    expire_time: unixSeconds.meta(describe({ en: 'When the order expires', 'zh-CN': '订单过期时间' })),
    paid_time: unixSeconds.meta(
      describe({ en: 'When the order was paid; 0 until then', 'zh-CN': '支付成功时间；未支付时为 0' }),
    ),
    deposits: z.array(chainConfirmation).meta(
      describe({
        en: 'Transfers received, oldest first; at most the latest 100',
        'zh-CN': '收到的转账，最早的在前；最多列出最近 100 笔',
      }),
    ),
  })
  .meta({
    id: 'Order',
    description: 'A payment. Amounts are decimal strings, never numbers; times are Unix seconds, 0 if not set',
  })

/** A payment in the records of the back-office: what an order shows, without what only its detail does. */
export const paymentRecord = order
  .omit({
    address_index: true,
    attach: true,
    chain_id: true,
    deposits: true,
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
  })
