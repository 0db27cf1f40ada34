import { z } from 'zod'
import { closedChain } from '../chains/routes.ts'
import { withdrawalStatus } from '../codes.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  amount,
  cursorListOf,
  cursorPaging,
  empty,
  filterBy,
  id,
  money,
  optionalText,
  orderRef,
  outTradeNo,
  required,
  timeRange,
  tradeNo,
  unixSeconds,
} from '../kit/schemas.ts'
import { codeList, withdrawalLabels } from '../labels.ts'

const status = z
  .int()
  .describe(codeList(withdrawalStatus, withdrawalLabels.en))
  .meta({ enum: Object.values(withdrawalStatus) })
const statusFilter = filterBy(withdrawalStatus)
  .describe('Status of the payouts')
  .meta({ enum: Object.values(withdrawalStatus) })

/** What withdrawals and refunds have in common. */
const payout = {
  id: z.string().describe('Number assigned by Coffer, 32 digits'),
  out_no: z.string().describe('Your own number; empty if it was requested in the back-office'),
  appid: z.string().describe('ID of the application; empty for withdrawals requested in the back-office'),
  status,
  chain_id: z.string().describe('ID of the chain'),
  chain: z.string().describe('Name of the chain'),
  token: z.string().describe('Symbol of the token. All amounts but `usdt_value` are in it'),
  address: z.string().describe('Receiving address'),
  usdt_value: money.describe('Value in USDT when it was requested'),
  gas: money.describe('Network fee, fixed when it was requested'),
  receives: money.describe('Amount that arrives'),
  warnings: z
    .array(z.string())
    .describe(
      'What spoke against the address without refusing it when it was requested: `code`, it is a contract; `first_payment`, it was never paid before; `look_alike`, it resembles the address of somebody who paid you',
    ),
  txid: z.string().describe('Transaction hash; empty until it is in a block'),
  created_time: unixSeconds.describe('When it was requested'),
  updated_time: unixSeconds.describe('When its status last changed'),
}

/** A withdrawal as the merchant's server sees it. */
export const withdrawal = z
  .object({
    ...payout,
    amount: money.describe('Amount taken from the balance'),
    fee: money.describe('Withdraw fee'),
    reason: z.string().describe('Why it was rejected or failed'),
    remark: z.string().describe('Your remark'),
  })
  .meta({ id: 'Withdrawal', description: 'Money that leaves your balance for an address' })

/** A refund as the merchant's server sees it. */
export const refund = z
  .object({
    ...payout,
    trade_no: z.string().describe('Number of the order that is refunded'),
    out_trade_no: z.string().describe('Your number of that order'),
    kind: z.enum(['surplus', 'part', 'all']).describe('What is given back'),
    gas_payer: z.enum(['merchant', 'payer']).describe('Who pays the gas'),
    amount: money.describe('Amount that counts against the order'),
    total: money.describe('Amount taken from the balance'),
    reason: z.string().describe('Your reason'),
    failure: z.string().describe('Why it failed'),
  })
  .meta({ id: 'Refund', description: 'Money of an order that is given back' })

const outNo = outTradeNo.describe('Your own number, unique per application: 1 to 64 printable characters')
const ref = orderRef.describe('Number assigned by Coffer, or `out:` and your own')
const number = tradeNo.describe('Number assigned by Coffer')

const newWithdrawal = z
  .strictObject({
    out_no: outNo,
    chain: id.describe('ID of the chain'),
    token: required(20).describe('Token on that chain'),
    amount: amount.describe('Amount taken from the balance, in the token. Fee and gas are included'),
    address: required(128).describe('Receiving address'),
    remark: optionalText(200).optional().describe('Shown in the back-office'),
  })
  .meta({ id: 'NewWithdrawal', description: 'A withdrawal to request' })

const newRefund = z
  .strictObject({
    out_no: outNo,
    trade_no: tradeNo.describe('Number of the order'),
    kind: z.enum(['surplus', 'part', 'all']).describe('What is given back; for a part, name the amount'),
    amount: amount.optional().describe('Amount in the token of the order, for a part'),
    basis: z
      .enum(['token', 'fiat'])
      .optional()
      .describe(
        'token, by default: as paid; fiat: what the price of the order is worth in the token today, at most what was paid',
      ),
    gas_payer: z.enum(['merchant', 'payer']).describe('Who pays the gas'),
    address: required(128).describe('Receiving address'),
    reason: optionalText(200).optional().describe('Shown in the back-office'),
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
  ...closedChain,
  'reference_conflict',
] as const
const cancelErrors = [
  'bad_trade_no',
  'withdrawal_not_exist',
  'withdrawal_cannot_change',
  'payouts_not_allowed',
] as const
const listQuery = { ...cursorPaging, ...timeRange, status: statusFilter, out_no: outNo.optional() }

export const withdrawalKeyRoutes = defineRoutes({
  'POST /api/v1/pay/withdrawals': {
    auth: 'key',
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
    summary: { en: 'List withdrawals of the application, newest first', 'zh-CN': '查询应用的提现列表，最新的在前' },
    docs: { id: 'listWithdrawals', tag: 'Payouts', errors: ['parameter_error'] },
    query: z.strictObject(listQuery),
    data: cursorListOf(withdrawal),
  },

  'GET /api/v1/pay/withdrawals/:id': {
    auth: 'key',
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
    summary: { en: 'Cancel a withdrawal that is not being sent yet', 'zh-CN': '取消尚未转出的提现' },
    docs: { id: 'cancelWithdrawal', tag: 'Payouts', errors: cancelErrors },
    params: z.strictObject({ id: number }),
    body: empty.optional(),
    data: withdrawal,
  },
})

export const refundKeyRoutes = defineRoutes({
  'POST /api/v1/pay/refunds': {
    auth: 'key',
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
    summary: { en: 'List refunds of the application, newest first', 'zh-CN': '查询应用的退款列表，最新的在前' },
    docs: { id: 'listRefunds', tag: 'Payouts', errors: ['parameter_error'] },
    query: z.strictObject({ ...listQuery, trade_no: tradeNo.optional().describe('Number of the order') }),
    data: cursorListOf(refund),
  },

  'GET /api/v1/pay/refunds/:id': {
    auth: 'key',
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
    summary: { en: 'Cancel a refund that is not being sent yet', 'zh-CN': '取消尚未转出的退款' },
    docs: { id: 'cancelRefund', tag: 'Payouts', errors: cancelErrors },
    params: z.strictObject({ id: number }),
    body: empty.optional(),
    data: refund,
  },
})
