import { z } from 'zod'
import { closedChainErrors } from '../chains/routes.ts'
import { paymentExceptions } from '../codes.ts'
import { describeField } from '../kit/describe.ts'
import { defineRoutes } from '../kit/route.ts'
import { decimalAmount, id, tradeNo, unixSeconds } from '../kit/schemas.ts'
import { payerDeposit } from './deposit.ts'
import { paymentStatusCode } from './payment.ts'

const assetFields = {
  asset_id: z.string().meta(describeField({ en: 'ID of the asset', 'zh-CN': '资产的 ID' })),
  token: z.string().meta(describeField({ en: 'Symbol of the token', 'zh-CN': '代币符号' })),
  chain: z.string().meta(describeField({ en: 'Name of the chain', 'zh-CN': '链的名称' })),
  net_work: z
    .string()
    .meta(describeField({ en: 'Token standard; empty for the native coin', 'zh-CN': '代币标准；原生币为空' })),
  logo: z.string().meta(describeField({ en: 'URL of the token’s logo', 'zh-CN': '代币图标的网址' })),
  chain_logo: z.string().meta(describeField({ en: 'URL of the chain’s logo', 'zh-CN': '链图标的网址' })),
}

/** A payment as the payer sees it. Must not reveal anything else. */
export const checkout = z
  .object({
    trade_no: z
      .string()
      .meta(describeField({ en: 'Order number assigned by Coffer, 32 digits', 'zh-CN': '平台订单号，32 位数字' })),
    out_trade_no: z.string().meta(
      describeField({
        en: 'Your order number, which the payer names when asking you about the payment',
        'zh-CN': '商户订单号，付款人向您咨询时使用',
      }),
    ),
    sandbox: z.boolean().meta(
      describeField({
        en: 'Whether the server is a sandbox, where no money is real',
        'zh-CN': '服务器是否为沙箱，沙箱中的款项均非真实资金',
      }),
    ),
    merchant_name: z
      .string()
      .meta(describeField({ en: 'Name of the application, shown as the payee', 'zh-CN': '应用名称，作为收款方显示' })),
    merchant_url: z
      .string()
      .meta(describeField({ en: 'Website of the application, or empty', 'zh-CN': '应用的网站，可为空' })),
    logo: z
      .string()
      .meta(describeField({ en: 'URL of the payee’s logo, or empty', 'zh-CN': '收款方图标的网址，可为空' })),
    subject: z.string().meta(describeField({ en: 'Description of the order', 'zh-CN': '订单说明' })),
    status: paymentStatusCode,
    exception: z.enum(paymentExceptions).meta(
      describeField({
        en: 'Deviation of the received amount or its time from the order',
        'zh-CN': '到账金额或时间与订单的差异',
      }),
    ),
    usdt_amount: decimalAmount.meta(describeField({ en: 'Requested amount in USDT', 'zh-CN': '订单金额，以 USDT 计' })),
    fiat_name: z
      .string()
      .meta(
        describeField({ en: 'Currency of the order; empty for USDT', 'zh-CN': '订单的计价货币；以 USDT 计价时为空' }),
      ),
    fiat_amount: decimalAmount.meta(
      describeField({ en: 'Requested amount in that currency', 'zh-CN': '订单金额，以该货币计' }),
    ),
    rate: z
      .object({
        price: decimalAmount.meta(
          describeField({ en: 'USDT for one unit of the currency', 'zh-CN': '一单位货币折合的 USDT' }),
        ),
        source: z.enum(['market', 'merchant']).meta(describeField({ en: 'Who states it', 'zh-CN': '汇率的设定方' })),
      })
      .nullable()
      .meta(
        describeField({
          en: 'Rate of the currency to USDT, locked when the order was created; null for USDT',
          'zh-CN': '该货币兑 USDT 的汇率，创建订单时锁定；以 USDT 计价时为 null',
        }),
      ),
    now: unixSeconds.meta(
      describeField({
        en: 'Server time, to compute the remaining time independently of the device clock',
        'zh-CN': '服务器时间，用于计算剩余时间，不依赖设备时钟',
      }),
    ),
    expire_time: unixSeconds.meta(describeField({ en: 'When the order expires', 'zh-CN': '订单过期时间' })),
    return_url: z
      .string()
      .meta(
        describeField({ en: 'URL to which the payer can return, or empty', 'zh-CN': '付款人可返回的网址，可为空' }),
      ),
    cancel_url: z.string().meta(
      describeField({
        en: 'URL to which the payer can return without paying, or empty',
        'zh-CN': '付款人不付款而返回的网址，可为空',
      }),
    ),
    auto_redirect: z.boolean().meta(
      describeField({
        en: 'Whether the page returns by itself once the payment has ended',
        'zh-CN': '付款结束后页面是否自动返回',
      }),
    ),
    delayed: z.boolean().meta(
      describeField({
        en: 'Whether reading the chain is delayed. Payments are not lost, but take longer to show',
        'zh-CN': '读取该链是否有延迟。款项不会丢失，但需要更长时间才能显示',
      }),
    ),
    choices: z
      .array(
        z.object({
          ...assetFields,
          amount: decimalAmount.meta(
            describeField({ en: 'Total amount to pay in this asset', 'zh-CN': '以该币种支付的应付总额' }),
          ),
        }),
      )
      .meta(
        describeField({
          en: 'Assets to choose from; empty once a transfer was detected',
          'zh-CN': '可选的支付币种；检测到转账后为空',
        }),
      ),
    chosen: z
      .object({
        ...assetFields,
        counted: z.array(z.string()).meta(
          describeField({
            en: 'Other tokens of the chain that count towards the payment',
            'zh-CN': '该链上同样计入本次收款的其他代币',
          }),
        ),
        contract: z
          .string()
          .meta(describeField({ en: 'Contract address; empty for the native coin', 'zh-CN': '合约地址，原生币为空' })),
        decimals: z.int().meta(describeField({ en: 'Decimal places of the token', 'zh-CN': '代币的小数位数' })),
        address: z.string().meta(
          describeField({
            en: 'Deposit address; every wallet reads it as a QR code',
            'zh-CN': '收款地址；其二维码所有钱包都能识别',
          }),
        ),
        amount: decimalAmount.meta(describeField({ en: 'Total amount to pay', 'zh-CN': '应付总额' })),
        paid: decimalAmount.meta(describeField({ en: 'Amount credited so far', 'zh-CN': '已入账金额' })),
        pending: decimalAmount.meta(
          describeField({ en: 'Amount detected but not yet final', 'zh-CN': '已检测到、尚未最终确认的金额' }),
        ),
        rest: decimalAmount.meta(
          describeField({
            en: 'Amount still to pay: the total less what is credited or pending; 0 once it suffices',
            'zh-CN': '待付金额：应付总额减去已入账和待确认金额；已足额时为 0',
          }),
        ),
        surplus: decimalAmount.meta(
          describeField({ en: 'Amount credited in excess of the total', 'zh-CN': '多付的金额' }),
        ),
        minimum: decimalAmount.meta(
          describeField({
            en: 'Transfers of less count only once they add up to it, or to what is still to pay; empty where there is no minimum',
            'zh-CN': '单笔低于此金额的转账，累计达到此金额或待付金额后才计入；无最低金额时为空',
          }),
        ),
        uri: z.string().meta(
          describeField({
            en: 'Payment link for the amount still to pay, only for wallets that support EIP-681: that of a token begins with its contract, to which other wallets send the tokens, for good. The address on chains without payment links; empty if nothing is left to pay',
            'zh-CN':
              '待付金额的付款链接，仅供支持 EIP-681 的钱包使用：代币的链接以合约地址开头，其他钱包会把代币转给合约且无法追回。不支持付款链接的链上为收款地址；无需付款时为空',
          }),
        ),
      })
      .nullable()
      .meta(
        describeField({
          en: 'The chosen asset with address and amounts; null until the payer has chosen',
          'zh-CN': '已选的支付币种及其地址和金额；付款人选择之前为 null',
        }),
      ),
    deposits: z
      .array(payerDeposit)
      .meta(describeField({ en: 'Transfers received, oldest first', 'zh-CN': '收到的转账，最早的在前' })),
  })
  .meta({ id: 'Checkout', description: 'A payment as its payer sees it' })

const params = z.strictObject({
  trade_no: tradeNo.meta(
    describeField({
      en: 'Order number assigned by Coffer',
      'zh-CN': '平台订单号；查询订单时也可为 `out:` 加商户订单号',
    }),
  ),
})

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
      errors: [
        'bad_trade_no',
        'transaction_not_exist',
        'currency_not_supported',
        'price_unavailable',
        ...closedChainErrors,
      ],
    },
    params,
    body: z.strictObject({
      asset_id: id.meta(describeField({ en: 'ID of one of the `choices`', 'zh-CN': '`choices` 中某一项的 ID' })),
    }),
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
