import { z } from 'zod'
import { idParams, operatorName, reasonForMerchantBody } from '../kit/operator-parts.ts'
import { financeRoles, readingRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { decimalAmount, emptyObject, unixSeconds } from '../kit/schemas.ts'
import {
  namedPayments,
  paidElsewhereBody,
  payoutMerchantFields,
  payoutTransactionFields,
} from '../withdrawals/operator.ts'

const refund = z.object({
  id: z.string(),
  ...payoutMerchantFields,
  trade_no: z.string(),
  receives: decimalAmount,
  token: z.string(),
  chain: z.string(),
  address: z.string(),
  reason: z.string(),
})

const standing = refund.extend({
  created_time: unixSeconds,
  updated_time: unixSeconds,
  /** Operators who have approved paying it again, while more are needed. */
  approvals: z.array(operatorName),
  /** How many operators must approve it. */
  people: z.int(),
  paid_by: namedPayments,
})

/** What operators decide about an abnormal refund: to pay it again, to release its amount, or that it was paid. */
const refundDecisions = ['paid_again', 'released', 'found_paid'] as const
export type RefundDecision = (typeof refundDecisions)[number]

/**
 * Refunds whose transaction failed, or whose receiver was not paid in full for certain. The merchant cannot end them.
 */
export const refundQueueRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/refunds': {
    who: readingRoles,
    summary: 'List abnormal refunds, oldest first, and the newest 20 decisions about such',
    data: z.object({
      list: z.array(standing),
      decided: z.array(
        refund.extend({
          /** Of the refund as it is now. */
          status: z.int(),
          /** Of the decision, among the events of the refund. */
          number: z.int(),
          event: z.enum(refundDecisions),
          /** All whose approval counted. */
          who: z.array(z.string()),
          decided_time: unixSeconds,
        }),
      ),
    }),
  },
  'GET /api/operator/v1/refunds/:id': {
    who: readingRoles,
    summary: 'Read a refund with its transactions and what operators decided about it',
    params: idParams,
    data: standing.extend({
      status: z.int(),
      total: decimalAmount.describe('What the merchant gives, with the gas if it pays that'),
      gas: decimalAmount,
      /** Why the merchant gives it back. */
      remark: z.string(),
      ...payoutTransactionFields,
      /** What operators decided, the last first, each with all whose approval counted. */
      decided: z.array(
        z.object({ event: z.enum(refundDecisions), who: z.array(z.string()), created_time: unixSeconds }),
      ),
    }),
  },
  'POST /api/operator/v1/refunds/:id/approve': {
    who: financeRoles,
    fresh: true,
    second: 'amount',
    object: 'refund',
    dialog: {
      button: { en: 'Pay again', 'zh-CN': '重新付款' },
      text: { en: 'This amount will be sent. This cannot be undone:', 'zh-CN': '将发送以下金额，发送后不可撤销：' },
      look: 'primary',
    },
    title: { en: 'Paid the refund again', 'zh-CN': '重新支付退款' },
    summary: 'Pay an abnormal refund again; above a limit a second operator must approve, too',
    params: idParams,
    /** As the operator has read the refund: one that has changed since, such as failed again, is not paid. */
    body: z.strictObject({ updated_time: unixSeconds }),
    data: z.object({ waits: z.boolean() }),
  },
  'POST /api/operator/v1/refunds/:id/cancel': {
    who: financeRoles,
    fresh: true,
    object: 'refund',
    dialog: {
      button: { en: 'Cancel payout', 'zh-CN': '取消付款' },
      text: {
        en: 'Nothing more is sent, and the amount returns to the balance of the merchant.',
        'zh-CN': '不再付款，金额退回商户余额。',
      },
      done: { en: 'Recorded', 'zh-CN': '已记录' },
      look: 'danger',
      leave: { en: 'Keep payout', 'zh-CN': '暂不取消' },
    },
    title: { en: 'Canceled the refund', 'zh-CN': '取消退款' },
    command: {
      name: 'refund cancel',
      done: 'Refund {id} is canceled, and its amount is released.',
      asks: 'Cancel {object}?',
    },
    summary: 'Cancel an abnormal refund; its amount is released and the merchant reads the reason',
    params: idParams,
    body: reasonForMerchantBody,
    data: emptyObject,
  },
  'POST /api/operator/v1/refunds/:id/paid': {
    who: financeRoles,
    fresh: true,
    second: 'amount',
    object: 'refund',
    dialog: {
      button: { en: 'Already paid', 'zh-CN': '已付款' },
      text: {
        en: 'After a restore: the transaction that has paid it is checked on the chain, and nothing is sent. The refund is then complete, as if this server had sent it.',
        'zh-CN':
          '用于恢复备份之后：系统将在链上核对所填交易，不再发送任何款项；核对通过后该笔退款即完成，视同由本服务器付款。',
      },
    },
    title: { en: 'Recorded what had paid the refund', 'zh-CN': '登记退款的付款交易' },
    summary:
      'Record the transaction, sent elsewhere, that has paid an abnormal refund; above a limit a second operator must name it, too',
    params: idParams,
    body: paidElsewhereBody,
    data: z.object({ waits: z.boolean() }),
  },
})
