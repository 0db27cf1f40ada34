import { type WithdrawalState, withdrawalStatus } from '@coffer/contract/codes.ts'
import { manualReviewRiskLevels } from '@coffer/contract/merchants/risk-levels.ts'
import type { Deps } from '../../deps.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import { Refusal } from '../../kit/refusal.ts'
import { lastApprovals, readApproversBySubject } from '../../kit/second-person.ts'
import { passkeySite } from '../identity/passkeys/webauthn.ts'
import { operatorPasskeys } from '../operators/passkeys.ts'
import { filterNeededApprovals } from '../policies/format-policy-report.ts'
import {
  approveWithdrawal,
  countRequiredApprovers,
  formatWithdrawalSubject,
  rejectWithdrawal,
  stopWithdrawal,
} from '../withdrawals/decide-withdrawal.ts'
import {
  listNewestMerchantWithdrawals,
  listNewestWithdrawalsToAddress,
  listWithdrawalsInStates,
  readAnyWithdrawal,
} from '../withdrawals/list.ts'
import { readNamedPayments } from '../withdrawals/paid-elsewhere.ts'
import { presentWithdrawal } from '../withdrawals/present.ts'
import { recordPaidWithdrawal } from '../withdrawals/record-paid-withdrawal.ts'
import { readDeciders, readWithdrawalEvents } from '../withdrawals/store.ts'
import { defineConsoleHandlers } from './context.ts'
import { readPayoutTransactions } from './sent.ts'

const groups: Record<'waiting' | 'sending' | 'ended', WithdrawalState[]> = {
  waiting: ['auditing', 'abnormal'],
  sending: ['transferring', 'confirming'],
  ended: ['accomplished', 'audit_rejected', 'canceled'],
}

type Row = NonNullable<Awaited<ReturnType<typeof readAnyWithdrawal>>>

/** Why a withdrawal waits for an operator. */
function waitsOf({ status, risk_level, policy }: Row, approvals: number) {
  if (status === withdrawalStatus.abnormal) return { waits: 'failed' as const, waits_rules: [] }
  if (status !== withdrawalStatus.auditing) return { waits: '' as const, waits_rules: [] }
  if (approvals > 0) return { waits: 'second' as const, waits_rules: [] }
  if (manualReviewRiskLevels.includes(risk_level)) return { waits: 'risk' as const, waits_rules: [] }
  return {
    waits: 'amount' as const,
    waits_rules: filterNeededApprovals(policy).map(({ per, used, limit }) => ({ per, used, limit })),
  }
}

async function present(deps: Deps, rows: Row[]) {
  const isWaiting = (row: Row) => groups.waiting.some(state => withdrawalStatus[state] === row.status)
  const decided = rows.filter(row => !isWaiting(row))
  const [approvals, given] = await Promise.all([
    readApproversBySubject(deps.pool, rows.map(formatWithdrawalSubject)),
    lastApprovals(deps.pool, decided, formatWithdrawalSubject),
  ])
  const people = await Promise.all(rows.map(row => countRequiredApprovers(deps, deps.pool, row)))
  return rows.map((row, index) => {
    const by = (isWaiting(row) ? approvals.get(formatWithdrawalSubject(row)) : given.get(row.id)) ?? []
    const { mchid, name, risk_level } = row
    return {
      ...presentWithdrawal(row),
      mchid,
      name,
      risk_level,
      people: people[index]!,
      approvals: by,
      ...waitsOf(row, by.length),
    }
  })
}

/** Presents withdrawals that stand beside something else, without one of them. */
export const presentOtherWithdrawals = (rows: Row[], but = '') =>
  rows
    .filter(row => row.id !== but)
    .map(row => {
      const { id, status, amount, token, chain, usdt_value, created_time } = presentWithdrawal(row)
      return { id, mchid: row.mchid, merchant: row.name, status, amount, token, chain, usdt_value, created_time }
    })

/** What a passkey signs to approve a payout, each time that it waits: all that decides where money goes. */
const approvalOf = (row: Row) => ({
  action: 'withdrawal-approve',
  data: {
    decision: 'approve',
    subject: formatWithdrawalSubject(row),
    amount: String(row.amount),
    token: row.token,
    address: row.to_address,
  },
})

/** Refuses a withdrawal that has changed since the operator read it: to approve is not to pay again. */
function mustBeSeen({ updated_at }: Pick<Row, 'updated_at'>, seen: number | undefined): void {
  if (seen !== undefined && seen !== updated_at) throw new Refusal('withdrawal_cannot_change', { field: 'id' })
}

export const withdrawalQueueHandlers = defineConsoleHandlers({
  'GET /api/operator/v1/withdrawals': async ({ deps, query }) => {
    const states = groups[query.group].map(state => withdrawalStatus[state])
    return { list: await present(deps, await listWithdrawalsInStates(deps.pool, states)) }
  },

  'GET /api/operator/v1/withdrawals/:id': async ({ deps, params: { id } }) => {
    const row = await readAnyWithdrawal(deps.pool, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const [history, sent, deciders, ofMerchant, toAddress, [shown], named] = await Promise.all([
      readWithdrawalEvents(deps.pool, row.merchant_id, id),
      readPayoutTransactions(deps, row.definition, 'withdrawal', row.merchant_id, id),
      readDeciders(deps.pool, row.merchant_id, id),
      listNewestMerchantWithdrawals(deps.pool, row.merchant_id),
      listNewestWithdrawalsToAddress(deps.pool, row.to_address),
      present(deps, [row]),
      readNamedPayments(deps.pool, [row], formatWithdrawalSubject),
    ])
    return {
      ...shown!,
      policy: row.policy,
      nonce: row.out_nonce,
      approved_by: row.approved_by,
      paid_by: named(row),
      decided: deciders.map(({ created_at, ...by }) => ({ ...by, created_time: created_at })),
      ...sent,
      history: history.map(({ created_at, ...step }) => ({ ...step, created_time: created_at })),
      of_merchant: presentOtherWithdrawals(ofMerchant, id),
      to_address: presentOtherWithdrawals(toAddress, id),
    }
  },

  'POST /api/operator/v1/withdrawals/:id/approve': async ({ deps, params, operator, body }) =>
    approveWithdrawal(deps, {
      ...params,
      by: operator,
      confirm: async (_, locked) => mustBeSeen(locked, body.updated_time),
    }),

  'GET /api/operator/v1/withdrawals/:id/passkey': async ({ deps, params: { id }, operator }) => {
    const row = await readAnyWithdrawal(deps.pool, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const { operatorId } = operator
    const usable = passkeySite(deps.config.operatorUrl) && (await operatorPasskeys.hasHere(deps, deps.pool, operatorId))
    return { options: usable ? { ...(await operatorPasskeys.ask(deps, operatorId, approvalOf(row))) } : null }
  },

  'POST /api/operator/v1/withdrawals/:id/approve-by-passkey': async context => {
    const { deps, params, operator, body } = context
    const row = await readAnyWithdrawal(deps.pool, params.id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const signed = { ...approvalOf(row), response: body.passkey, from: context }
    const { consume } = await operatorPasskeys.verify(deps, operator.operatorId, signed)
    return approveWithdrawal(deps, {
      ...params,
      by: operator,
      confirm: async (c, locked) => {
        mustBeSeen(locked, body.updated_time)
        if (formatWithdrawalSubject(locked) !== formatWithdrawalSubject(row))
          throw new Refusal('withdrawal_cannot_change')
        await consume(c)
      },
    })
  },

  'POST /api/operator/v1/withdrawals/:id/reject': ({ deps, operator, params, body }) =>
    toEmptyAnswer(rejectWithdrawal(deps, { ...params, ...body, who: operator.email })),

  'POST /api/operator/v1/withdrawals/:id/cancel': async ({ deps, operator, params, body }) => ({
    released: await stopWithdrawal(deps, { ...params, ...body, who: operator.email }),
  }),

  'POST /api/operator/v1/withdrawals/:id/paid': ({ deps, operator, params, body }) =>
    recordPaidWithdrawal(deps, { ...params, txid: body.txid, by: operator, seen: body.updated_time }),
})
