import { z } from 'zod'
import { idParams, labelled, operatorName, reasonForMerchantBody } from '../kit/operator-parts.ts'
import { financeRoles, readingRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import {
  decimalAmount,
  emptyObject,
  passkeyAssertion,
  passkeyOptions,
  requiredLine,
  unixSeconds,
} from '../kit/schemas.ts'
import { riskLevels } from '../merchants/risk-levels.ts'
import { policyReport } from '../policies/routes.ts'
import { withdrawalRoutes } from './routes.ts'

const record = withdrawalRoutes['POST /api/v1/account/withdrawal'].data
const detail = withdrawalRoutes['GET /api/v1/account/withdrawal'].data

/** Whose payout it is, as far as it matters to who decides. */
export const payoutMerchantFields = {
  mchid: z.string(),
  name: z.string(),
  risk_level: z.union([z.enum(riskLevels), z.literal('')]),
}

export const payoutTransactionFields = {
  /** Transactions of a payout: what became of each, and its network fee in `fee_token`, of all that it carried. */
  transactions: z.array(
    z.object({
      txid: z.string(),
      explorer: z.string(),
      state: z.enum(['assigned', 'sent', 'in_block', 'paid', 'reverted', 'void']),
      fee: decimalAmount,
      updated_time: unixSeconds,
    }),
  ),
  fee_token: z.string(),
}

/** Transactions that an operator said have paid it, while another one must say the same. */
export const namedPayments = z.array(z.object({ txid: z.string(), approvals: z.array(operatorName) }))

/** What has paid a payout. `updated_time`: as the operator has read the payout; one that changed since is refused. */
export const paidElsewhereBody = z.strictObject({
  txid: labelled(requiredLine(80), {
    label: { en: 'Transaction hash', 'zh-CN': '交易哈希' },
    hint: {
      en: 'Of a final transaction of our hot wallet that this server did not send, as it stands in the explorer.',
      'zh-CN': '须为本站热钱包发出、已最终确认且非本服务器发送的交易，可在区块浏览器中查到。',
    },
    line: true,
  }),
  updated_time: unixSeconds.optional(),
})

const row = record.extend({
  ...payoutMerchantFields,
  /**
   * Why it waits: `failed`: nothing was paid; `second`: another operator must approve it; `risk`: the merchant's level;
   * `amount`: approvals that rules require, `waits_rules`; empty when it does not.
   */
  waits: z.enum(['failed', 'second', 'risk', 'amount', '']),
  /**
   * The rules that require an approval, each with what it counts, what was used of it before, and its limit in USDT.
   */
  waits_rules: z.array(policyReport.pick({ per: true, used: true, limit: true })),
  /** Operators who have approved it, of one that is decided those whose approval counted last. */
  approvals: z.array(operatorName),
  /** How many operators must approve it. */
  people: z.int(),
})
export const pastWithdrawal = z.object({
  id: z.string(),
  mchid: z.string(),
  merchant: z.string(),
  status: z.int(),
  amount: decimalAmount,
  token: z.string(),
  chain: z.string(),
  usdt_value: decimalAmount,
  created_time: unixSeconds,
})

/** As the operator has read the withdrawal: one that has changed since, such as failed, is not approved. */
const seen = { updated_time: unixSeconds.optional() }

export const withdrawalQueueRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/withdrawals': {
    who: readingRoles,
    summary: 'List withdrawals that wait for an operator, are being sent, or have ended',
    query: z.strictObject({ group: z.enum(['waiting', 'sending', 'ended']).default('waiting') }),
    data: z.object({ list: z.array(row) }),
  },
  'GET /api/operator/v1/withdrawals/:id': {
    who: readingRoles,
    summary: 'Read a withdrawal with the policy’s answer and the history of its merchant and its address',
    params: idParams,
    data: row.extend({
      policy: detail.shape.policy,
      /** Of its transaction; null before it has one. */
      nonce: z.int().nullable(),
      approved_by: z.string(),
      paid_by: namedPayments,
      /** What operators decided, the last first. */
      decided: z.array(z.object({ event: z.string(), who: z.string(), created_time: unixSeconds })),
      ...payoutTransactionFields,
      history: z.array(z.object({ status: z.int(), event: z.string(), detail: z.string(), created_time: unixSeconds })),
      of_merchant: z.array(pastWithdrawal),
      to_address: z.array(pastWithdrawal),
    }),
  },
  'POST /api/operator/v1/withdrawals/:id/approve': {
    who: financeRoles,
    fresh: true,
    second: 'amount',
    object: 'withdrawal',
    dialog: {
      button: { en: 'Approve', 'zh-CN': '通过' },
      text: { en: 'This amount will be sent. This cannot be undone:', 'zh-CN': '将发送以下金额，发送后不可撤销：' },
      look: 'primary',
    },
    title: { en: 'Approved the withdrawal', 'zh-CN': '通过提现' },
    summary: 'Approve a withdrawal, or pay an abnormal one again; above a limit a second operator must approve, too',
    params: idParams,
    body: z.strictObject(seen).default({}),
    data: z.object({ waits: z.boolean() }),
  },
  'GET /api/operator/v1/withdrawals/:id/passkey': {
    who: readingRoles,
    summary: 'Get what a browser needs to approve this payout with a passkey; null for an operator without one',
    params: idParams,
    data: z.object({ options: passkeyOptions.nullable() }),
  },
  'POST /api/operator/v1/withdrawals/:id/approve-by-passkey': {
    who: financeRoles,
    second: 'amount',
    object: 'withdrawal',
    dialog: {
      button: { en: 'Approve with a passkey', 'zh-CN': '使用通行密钥通过' },
      text: { en: 'This amount will be sent. This cannot be undone:', 'zh-CN': '将发送以下金额，发送后不可撤销：' },
      look: 'primary',
    },
    title: { en: 'Approved the withdrawal with a passkey', 'zh-CN': '使用通行密钥通过提现' },
    summary: 'Approve like the call above, with a passkey’s signature for this payout in place of a fresh code',
    params: idParams,
    body: z.strictObject({ passkey: passkeyAssertion, ...seen }),
    data: z.object({ waits: z.boolean() }),
  },
  'POST /api/operator/v1/withdrawals/:id/reject': {
    who: financeRoles,
    fresh: true,
    object: 'withdrawal',
    dialog: {
      button: { en: 'Reject', 'zh-CN': '拒绝' },
      text: {
        en: 'Nothing is sent, and the amount returns to the balance of the merchant.',
        'zh-CN': '不会发送任何款项，金额退回商户余额。',
      },
      look: 'danger',
    },
    title: { en: 'Rejected the withdrawal', 'zh-CN': '拒绝提现' },
    command: {
      name: 'withdrawal reject',
      done: 'Withdrawal {id} is rejected.',
      asks: 'Reject {object}?',
    },
    summary: 'Reject a withdrawal; its amount is released and the merchant reads the reason',
    params: idParams,
    body: reasonForMerchantBody,
    data: emptyObject,
  },
  'POST /api/operator/v1/withdrawals/:id/cancel': {
    who: financeRoles,
    fresh: true,
    object: 'withdrawal',
    dialog: {
      button: { en: 'Cancel payout', 'zh-CN': '取消付款' },
      text: {
        en: 'If no transaction was sent, the amount is released at once. Otherwise the transaction is replaced by an empty transfer, and the amount is released once that is final.',
        'zh-CN': '尚无链上交易的，金额立即退回；已发送的，将以同一 nonce 的空交易替换，确认后退回。',
      },
      done: { en: 'Recorded', 'zh-CN': '已记录' },
      look: 'danger',
      leave: { en: 'Keep payout', 'zh-CN': '暂不取消' },
    },
    title: { en: 'Canceled the withdrawal', 'zh-CN': '取消提现' },
    summary: 'Cancel a withdrawal: at once, or by its nonce once it was sent',
    params: idParams,
    body: reasonForMerchantBody,
    data: z.object({ released: z.boolean() }),
  },
  'POST /api/operator/v1/withdrawals/:id/paid': {
    who: financeRoles,
    fresh: true,
    second: 'amount',
    object: 'withdrawal',
    dialog: {
      button: { en: 'Already paid', 'zh-CN': '已付款' },
      text: {
        en: 'After a restore: the transaction that has paid it is checked on the chain, and nothing is sent. The withdrawal is then complete, as if this server had sent it.',
        'zh-CN':
          '用于恢复备份之后：系统将在链上核对所填交易，不再发送任何款项；核对通过后该笔提现即完成，视同由本服务器付款。',
      },
    },
    title: { en: 'Recorded what had paid the withdrawal', 'zh-CN': '登记提现的付款交易' },
    summary:
      'Record the transaction, sent elsewhere, that has paid an abnormal withdrawal or one that waits for approval; above a limit a second operator must name it, too',
    params: idParams,
    body: paidElsewhereBody,
    data: z.object({ waits: z.boolean() }),
  },
})
