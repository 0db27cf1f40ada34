import { z } from 'zod'
import { reason, withId } from '../kit/operator-parts.ts'
import { everyone, finance } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { empty, money, passkeyAssertion, passkeyOptions, unixSeconds } from '../kit/schemas.ts'
import { riskLevels } from '../merchants/risk-levels.ts'
import { policyReport } from '../policies/routes.ts'
import { withdrawalRoutes } from './routes.ts'

const record = withdrawalRoutes['POST /api/v1/account/withdrawal'].data
const detail = withdrawalRoutes['GET /api/v1/account/withdrawal'].data

/** Whose payout it is, as far as it matters to who decides. */
export const payee = { mchid: z.string(), name: z.string(), risk_level: z.union([z.enum(riskLevels), z.literal('')]) }

export const sent = {
  /** Transactions of a payout: what became of each, and its network fee in `fee_token`, of all that it carried. */
  transactions: z.array(
    z.object({
      txid: z.string(),
      explorer: z.string(),
      state: z.enum(['assigned', 'sent', 'in_block', 'paid', 'reverted', 'void']),
      fee: money,
      updated_time: unixSeconds,
    }),
  ),
  fee_token: z.string(),
}

const row = record.extend({
  ...payee,
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
  approvals: z.array(z.string()),
  /** How many operators must approve it. */
  people: z.int(),
})
export const pastWithdrawal = z.object({
  id: z.string(),
  mchid: z.string(),
  merchant: z.string(),
  status: z.int(),
  amount: money,
  token: z.string(),
  chain: z.string(),
  usdt_value: money,
  created_time: unixSeconds,
})

/** As the operator has read the withdrawal: one that has changed since, such as failed, is not approved. */
const seen = { updated_time: unixSeconds.optional() }

export const withdrawalQueueRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/withdrawals': {
    who: everyone,
    summary: 'List withdrawals that wait for an operator, are being sent, or have ended',
    query: z.strictObject({ group: z.enum(['waiting', 'sending', 'ended']).default('waiting') }),
    data: z.object({ list: z.array(row) }),
  },
  'GET /api/operator/v1/withdrawals/:id': {
    who: everyone,
    summary: 'Read a withdrawal with the policy’s answer and the history of its merchant and its address',
    params: withId,
    data: row.extend({
      policy: detail.shape.policy,
      /** Of its transaction; null before it has one. */
      nonce: z.int().nullable(),
      approved_by: z.string(),
      /** What operators decided, the last first. */
      decided: z.array(z.object({ event: z.string(), who: z.string(), created_time: unixSeconds })),
      ...sent,
      history: z.array(z.object({ status: z.int(), event: z.string(), detail: z.string(), created_time: unixSeconds })),
      of_merchant: z.array(pastWithdrawal),
      to_address: z.array(pastWithdrawal),
    }),
  },
  'POST /api/operator/v1/withdrawals/:id/approve': {
    who: finance,
    fresh: true,
    second: 'amount',
    object: 'withdrawal',
    title: { en: 'Approved the withdrawal', 'zh-CN': '通过提现' },
    summary: 'Approve a withdrawal, or pay an abnormal one again; above a limit a second operator must approve, too',
    params: withId,
    body: z.strictObject(seen).default({}),
    data: z.object({ waits: z.boolean() }),
  },
  'GET /api/operator/v1/withdrawals/:id/passkey': {
    who: everyone,
    summary: 'Get what a browser needs to approve this payout with a passkey; null for an operator without one',
    params: withId,
    data: z.object({ options: passkeyOptions.nullable() }),
  },
  'POST /api/operator/v1/withdrawals/:id/approve-by-passkey': {
    who: finance,
    second: 'amount',
    object: 'withdrawal',
    title: { en: 'Approved the withdrawal with a passkey', 'zh-CN': '使用通行密钥通过提现' },
    summary: 'Approve like the call above, with a passkey’s signature for this payout in place of a fresh code',
    params: withId,
    body: z.strictObject({ passkey: passkeyAssertion, ...seen }),
    data: z.object({ waits: z.boolean() }),
  },
  'POST /api/operator/v1/withdrawals/:id/reject': {
    who: finance,
    fresh: true,
    object: 'withdrawal',
    title: { en: 'Rejected the withdrawal', 'zh-CN': '拒绝提现' },
    summary: 'Reject a withdrawal; its amount is released and the merchant reads the reason',
    params: withId,
    body: reason,
    data: empty,
  },
  'POST /api/operator/v1/withdrawals/:id/cancel': {
    who: finance,
    fresh: true,
    object: 'withdrawal',
    title: { en: 'Canceled the withdrawal', 'zh-CN': '取消提现' },
    summary: 'Cancel a withdrawal: at once, or by its nonce once it was sent',
    params: withId,
    body: reason,
    data: z.object({ released: z.boolean() }),
  },
})
