import { z } from 'zod'
import { closedChainErrors } from '../chains/routes.ts'
import { withdrawalStatus } from '../codes.ts'
import { describeField } from '../kit/describe.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  amount,
  codeFilter,
  cursorListOf,
  cursorPaging,
  decimalAmount,
  emptyObject,
  id,
  optionalText,
  orderRef,
  outTradeNo,
  requiredText,
  timeRange,
  tradeNo,
  unixSeconds,
} from '../kit/schemas.ts'
import { formatCodeList, withdrawalLabels } from '../labels.ts'

const status = z
  .int()
  .meta(describeField(formatCodeList(withdrawalStatus, withdrawalLabels)))
  .meta({ enum: Object.values(withdrawalStatus) })
const statusFilter = codeFilter(withdrawalStatus)
  .meta(describeField({ en: 'Status of the payouts', 'zh-CN': '状态' }))
  .meta({ enum: Object.values(withdrawalStatus) })

/** What withdrawals and refunds have in common. */
const payout = {
  id: z.string().meta(describeField({ en: 'Number assigned by Coffer, 32 digits', 'zh-CN': '平台单号，32 位数字' })),
  out_no: z.string().meta(
    describeField({
      en: 'Your own number; empty if it was requested in the back-office',
      'zh-CN': '商户单号；在后台发起时为空',
    }),
  ),
  appid: z.string().meta(
    describeField({
      en: 'ID of the application; empty for withdrawals requested in the back-office',
      'zh-CN': '应用的 ID；在后台发起的提现为空',
    }),
  ),
  status,
  chain_id: z.string().meta(describeField({ en: 'ID of the chain', 'zh-CN': '链的 ID' })),
  chain: z.string().meta(describeField({ en: 'Name of the chain', 'zh-CN': '链的名称' })),
  token: z.string().meta(
    describeField({
      en: 'Symbol of the token. All amounts but `usdt_value` are in it',
      'zh-CN': '代币符号。除 `usdt_value` 外，金额均以该代币计',
    }),
  ),
  address: z.string().meta(describeField({ en: 'Receiving address', 'zh-CN': '收款地址' })),
  usdt_value: decimalAmount.meta(
    describeField({ en: 'Value in USDT when it was requested', 'zh-CN': '发起时折合的 USDT' }),
  ),
  gas: decimalAmount.meta(
    describeField({ en: 'Network fee, fixed when it was requested', 'zh-CN': '矿工费，发起时确定' }),
  ),
  receives: decimalAmount.meta(describeField({ en: 'Amount that arrives', 'zh-CN': '实际到账金额' })),
  warnings: z.array(z.string()).meta(
    describeField({
      en: 'What spoke against the address without refusing it when it was requested: `code`, it is a contract; `first_payment`, it was never paid before; `look_alike`, it resembles the address of somebody who paid you',
      'zh-CN':
        '申请时针对该地址、但未拒绝付款的提示：`code` 为合约地址；`first_payment` 为首次向该地址付款；`look_alike` 为与某位付款人的地址相似',
    }),
  ),
  txid: z
    .string()
    .meta(describeField({ en: 'Transaction hash; empty until it is in a block', 'zh-CN': '交易哈希；上链前为空' })),
  created_time: unixSeconds.meta(describeField({ en: 'When it was requested', 'zh-CN': '发起时间' })),
  updated_time: unixSeconds.meta(describeField({ en: 'When its status last changed', 'zh-CN': '状态最近变更的时间' })),
}

/** A withdrawal as the merchant's server sees it. */
export const withdrawal = z
  .object({
    ...payout,
    amount: decimalAmount.meta(describeField({ en: 'Amount taken from the balance', 'zh-CN': '从余额中扣除的金额' })),
    fee: decimalAmount.meta(describeField({ en: 'Withdraw fee', 'zh-CN': '提现手续费' })),
    reason: z.string().meta(describeField({ en: 'Why it was rejected or failed', 'zh-CN': '被拒绝或失败的原因' })),
    remark: z.string().meta(describeField({ en: 'Your remark', 'zh-CN': '您的备注' })),
  })
  .meta({ id: 'Withdrawal', description: 'Money that leaves your balance for an address' })

/** A refund as the merchant's server sees it. */
export const refund = z
  .object({
    ...payout,
    trade_no: z
      .string()
      .meta(describeField({ en: 'Number of the order that is refunded', 'zh-CN': '被退款订单的平台订单号' })),
    out_trade_no: z
      .string()
      .meta(describeField({ en: 'Your number of that order', 'zh-CN': '被退款订单的商户订单号' })),
    kind: z
      .enum(['surplus', 'part', 'all'])
      .meta(describeField({ en: 'What is given back', 'zh-CN': '退款类型：surplus 多付部分，part 部分，all 全部' })),
    gas_payer: z
      .enum(['merchant', 'payer'])
      .meta(describeField({ en: 'Who pays the gas', 'zh-CN': '矿工费承担方：merchant 商户，payer 付款人' })),
    amount: decimalAmount.meta(
      describeField({ en: 'Amount that counts against the order', 'zh-CN': '计入该订单退款的金额' }),
    ),
    total: decimalAmount.meta(describeField({ en: 'Amount taken from the balance', 'zh-CN': '从余额中扣除的金额' })),
    reason: z.string().meta(describeField({ en: 'Your reason', 'zh-CN': '您填写的原因' })),
    failure: z.string().meta(describeField({ en: 'Why it failed', 'zh-CN': '失败的原因' })),
  })
  .meta({ id: 'Refund', description: 'Money of an order that is given back' })

const outNo = outTradeNo.meta(
  describeField({
    en: 'Your own number, unique per application: 1 to 64 printable characters',
    'zh-CN': '商户单号，在同一应用内唯一：1 至 64 个可打印字符',
  }),
)
const ref = orderRef.meta(
  describeField({
    en: 'Number assigned by Coffer, or `out:` and your own',
    'zh-CN': '平台单号（查询时也可为 `out:` 加商户单号），或回调、端点、收款链接的 ID',
  }),
)
const number = tradeNo.meta(
  describeField({
    en: 'Number assigned by Coffer',
    'zh-CN': '平台单号（查询时也可为 `out:` 加商户单号），或回调、端点、收款链接的 ID',
  }),
)

const newWithdrawal = z
  .strictObject({
    out_no: outNo,
    chain: id.meta(describeField({ en: 'ID of the chain', 'zh-CN': '链的 ID' })),
    token: requiredText(20).meta(describeField({ en: 'Token on that chain', 'zh-CN': '该链上的代币' })),
    amount: amount.meta(
      describeField({
        en: 'Amount taken from the balance, in the token. Fee and gas are included',
        'zh-CN': '从余额中扣除的代币金额，已含手续费和矿工费',
      }),
    ),
    address: requiredText(128).meta(describeField({ en: 'Receiving address', 'zh-CN': '收款地址' })),
    remark: optionalText(200)
      .optional()
      .meta(describeField({ en: 'Shown in the back-office', 'zh-CN': '在后台显示的备注' })),
  })
  .meta({ id: 'NewWithdrawal', description: 'A withdrawal to request' })

const newRefund = z
  .strictObject({
    out_no: outNo,
    trade_no: tradeNo.meta(describeField({ en: 'Number of the order', 'zh-CN': '订单的平台订单号' })),
    kind: z.enum(['surplus', 'part', 'all']).meta(
      describeField({
        en: 'What is given back; for a part, name the amount',
        'zh-CN': '退款类型：surplus 多付部分，part 部分，all 全部；部分退款须填写金额',
      }),
    ),
    amount: amount.optional().meta(
      describeField({
        en: 'Amount in the token of the order, for a part',
        'zh-CN': '部分退款的金额，以订单的代币计',
      }),
    ),
    basis: z
      .enum(['token', 'fiat'])
      .optional()
      .meta(
        describeField({
          en: 'token, by default: as paid; fiat: what the price of the order is worth in the token today, at most what was paid',
          'zh-CN': 'token（默认）：按支付的代币；fiat：按订单价格今日折合的代币，不超过实付金额',
        }),
      ),
    gas_payer: z
      .enum(['merchant', 'payer'])
      .meta(describeField({ en: 'Who pays the gas', 'zh-CN': '矿工费承担方：merchant 商户，payer 付款人' })),
    address: requiredText(128).meta(describeField({ en: 'Receiving address', 'zh-CN': '收款地址' })),
    reason: optionalText(200)
      .optional()
      .meta(describeField({ en: 'Shown in the back-office', 'zh-CN': '在后台显示的原因' })),
  })
  .meta({ id: 'NewRefund', description: 'A refund to request' })

const payoutErrors = [
  'parameter_error',
  'bad_amount',
  'payouts_not_allowed',
  'bad_address',
  'address_not_allowed',
  'amount_too_small',
  'insufficient_balance',
  'gas_too_high',
  'policy_refused',
  'passkey_needed',
  'withdrawal_forbidden',
  'currency_not_supported',
  'price_unavailable',
  ...closedChainErrors,
  'reference_conflict',
] as const
const cancelErrors = [
  'bad_trade_no',
  'withdrawal_not_exist',
  'withdrawal_cannot_change',
  'payouts_not_allowed',
] as const
const listQuery = {
  ...cursorPaging,
  ...timeRange,
  status: statusFilter,
  out_no: outNo.optional().meta(describeField({ en: outNo.description!, 'zh-CN': '商户单号' })),
}

export const withdrawalKeyRoutes = defineRoutes({
  'POST /api/v1/pay/withdrawals': {
    auth: 'key',
    scope: 'payouts',
    summary: {
      en: 'Request a withdrawal. The amount is reserved at once. The same out_no and body return the existing one',
      'zh-CN': '发起提现，金额立即冻结。out_no 和内容均相同时返回原有提现',
    },
    docs: {
      id: 'createWithdrawal',
      tag: 'Payouts',
      errors: [...payoutErrors, 'currency_not_exist', 'withdrawal_too_large', 'withdrawal_day_limit'],
    },
    body: newWithdrawal,
    data: withdrawal,
  },

  'GET /api/v1/pay/withdrawals': {
    auth: 'key',
    scope: 'read',
    summary: { en: 'List withdrawals of the application, newest first', 'zh-CN': '查询应用的提现列表，最新的在前' },
    docs: { id: 'listWithdrawals', tag: 'Payouts', errors: ['parameter_error'] },
    query: z.strictObject(listQuery),
    data: cursorListOf(withdrawal),
  },

  'GET /api/v1/pay/withdrawals/:id': {
    auth: 'key',
    scope: 'read',
    summary: {
      en: 'Get a withdrawal by its number, or by your own as out:<out_no>',
      'zh-CN': '按提现单号查询提现，或以 out:<out_no> 按商户单号查询',
    },
    docs: { id: 'getWithdrawal', tag: 'Payouts', errors: ['bad_trade_no', 'withdrawal_not_exist'] },
    params: z.strictObject({ id: ref }),
    data: withdrawal,
  },

  'POST /api/v1/pay/withdrawals/:id/cancel': {
    auth: 'key',
    scope: 'payouts',
    summary: { en: 'Cancel a withdrawal that is not being sent yet', 'zh-CN': '取消尚未转出的提现' },
    docs: { id: 'cancelWithdrawal', tag: 'Payouts', errors: cancelErrors },
    params: z.strictObject({ id: number }),
    body: emptyObject.optional(),
    data: withdrawal,
  },
})

export const refundKeyRoutes = defineRoutes({
  'POST /api/v1/pay/refunds': {
    auth: 'key',
    scope: 'refunds',
    summary: {
      en: 'Refund an order to an address. The amount is reserved at once. The same out_no and body return the existing one',
      'zh-CN': '向指定地址退款，金额立即冻结。out_no 和内容均相同时返回原有退款',
    },
    docs: {
      id: 'createRefund',
      tag: 'Payouts',
      errors: [
        ...payoutErrors,
        'bad_trade_no',
        'transaction_not_exist',
        'cannot_refund',
        'amount_too_large',
        'payment_in_doubt',
      ],
    },
    body: newRefund,
    data: refund,
  },

  'GET /api/v1/pay/refunds': {
    auth: 'key',
    scope: 'read',
    summary: { en: 'List refunds of the application, newest first', 'zh-CN': '查询应用的退款列表，最新的在前' },
    docs: { id: 'listRefunds', tag: 'Payouts', errors: ['parameter_error'] },
    query: z.strictObject({
      ...listQuery,
      trade_no: tradeNo
        .optional()
        .meta(
          describeField({ en: 'Number of the order', 'zh-CN': '平台订单号；查询订单时也可为 `out:` 加商户订单号' }),
        ),
    }),
    data: cursorListOf(refund),
  },

  'GET /api/v1/pay/refunds/:id': {
    auth: 'key',
    scope: 'read',
    summary: {
      en: 'Get a refund by its number, or by your own as out:<out_no>',
      'zh-CN': '按退款单号查询退款，或以 out:<out_no> 按商户单号查询',
    },
    docs: { id: 'getRefund', tag: 'Payouts', errors: ['bad_trade_no', 'withdrawal_not_exist'] },
    params: z.strictObject({ id: ref }),
    data: refund,
  },

  'POST /api/v1/pay/refunds/:id/cancel': {
    auth: 'key',
    scope: 'refunds',
    summary: { en: 'Cancel a refund that is not being sent yet', 'zh-CN': '取消尚未转出的退款' },
    docs: { id: 'cancelRefund', tag: 'Payouts', errors: cancelErrors },
    params: z.strictObject({ id: number }),
    body: emptyObject.optional(),
    data: refund,
  },
})
