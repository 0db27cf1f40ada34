import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { allowsWithdrawalTransition, valueDecimals, type WithdrawalEvent } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { first, type Queryable, run, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type ActingOperator, recordOperatorApproval, requireSecondPerson } from '../../kit/second-person.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { cancelOutgoing } from '../outgoing/cancel-outgoing.ts'
import { lockOutgoing, readItems } from '../outgoing/store.ts'
import { operatorApprover } from '../policies/policy.ts'
import { applyWithdrawalSteps, withdrawalStateOf } from './steps.ts'
import { findCarryingTransaction, lockAnyWithdrawal, type StoredWithdrawal } from './store.ts'

const daySeconds = 86_400
const { auditing, audit_rejected, canceled } = withdrawalStatus

/** Key under which the approvals of a withdrawal are stored: each wait begins anew. */
export const formatWithdrawalSubject = ({ id, events }: Pick<StoredWithdrawal, 'id' | 'events'>) =>
  `withdrawal ${id} ${events}`

/**
 * What leaves by the approval of a single operator since $4: of a merchant or to an address, without the payout $3
 * itself, in 10^-18 USDT. A payout that was approved again counts once.
 */
const approvedAlone = first(
  'operator-approved-alone',
  `with alone as (
     select split_part(subject, ' ', 1) as what, split_part(subject, ' ', 2) as id from operator_approvals
     where created_at > $4 and subject ~ '^(withdrawal|refund) ' group by subject having count(*) = 1
   )
   select coalesce(sum(usdt_value), 0) as value from (
     select usdt_value, merchant_id, to_address, id from withdrawals
     where status not in (${auditing}, ${audit_rejected}, ${canceled}) and id in (select id from alone where what = 'withdrawal')
     union all
     select usdt_value, merchant_id, to_address, id from refunds
     where status <> ${canceled} and id in (select id from alone where what = 'refund')
   ) approved where (merchant_id = $1 or to_address = $2) and id <> $3`,
)

/**
 * Returns how many operators must approve a payout: two where one alone would have approved more than the limit within
 * 24 hours, of its merchant or to its address, so that splitting changes nothing.
 */
export async function countRequiredApprovers(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  c: Queryable,
  {
    id,
    merchant_id,
    to_address,
    usdt_value,
  }: Pick<StoredWithdrawal, 'id' | 'merchant_id' | 'to_address' | 'usdt_value'>,
): Promise<number> {
  const limit = parseDecimal(String(config.withdrawTwoAbove), valueDecimals)!
  if (limit === 0n) return 1
  if (usdt_value > limit) return 2
  const { value } = (await approvedAlone(c, merchant_id, to_address, id, clock() - daySeconds))!
  return value + usdt_value > limit ? 2 : 1
}

/** Lets approvals decide one after the other: each counts those before. */
export const lockOperatorApprovals = run(
  'operator-approve-turn',
  "select pg_advisory_xact_lock(hashtext('operator approvals'))",
)

/**
 * Approves a withdrawal that waits for it, or sends an abnormal one again, whose transaction is final without having
 * paid. Another approval changes nothing. Returns whether it waits for a second operator, who must be another person.
 * `confirm` runs in the same transaction, once the withdrawal is known to wait.
 */
export const approveWithdrawal = (
  deps: Deps,
  {
    id,
    by,
    confirm,
  }: { id: string; by: ActingOperator; confirm?: (c: Queryable, row: StoredWithdrawal) => Promise<void> },
): Promise<{ waits: boolean }> =>
  tx(deps.pool, async (c, uow) => {
    const row = await lockAnyWithdrawal(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const state = withdrawalStateOf(row)
    if (state === 'transferring') return { waits: false }
    const event: WithdrawalEvent = state === 'abnormal' ? 'paid_again' : 'approved'
    if (!allowsWithdrawalTransition(event, state, 'transferring'))
      throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    await confirm?.(c, row)
    await requireSecondPerson(c, { merchantId: row.merchant_id, step: 'approval', by, now: deps.clock() })
    await lockOperatorApprovals(c)
    const approval = {
      subject: formatWithdrawalSubject(row),
      by,
      people: await countRequiredApprovers(deps, c, row),
      now: deps.clock(),
    }
    if (!(await recordOperatorApproval(c, approval))) return { waits: true }
    const fresh = { reason: '', txid: '', out_chain: null, out_from: null, out_nonce: null }
    const approved = { approved_by: operatorApprover, approved_for: '', approved_at: deps.clock() }
    const changes = { ...approved, ...(event === 'paid_again' && fresh) }
    await applyWithdrawalSteps(uow, [{ row, event, to: 'transferring', who: by.email, changes }], deps.clock())
    const { merchant_id: merchantId } = row
    recordEvent(deps, uow, { merchantId, type: 'withdrawal_approved', from: null, params: { id } })
    return { waits: false }
  })

/** Rejects a withdrawal that waits for approval, and releases its amount. */
export const rejectWithdrawal = (
  deps: Deps,
  { id, reason, who = '' }: { id: string; reason: string; who?: string },
): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    const row = await lockAnyWithdrawal(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    if (withdrawalStateOf(row) === 'audit_rejected') return
    const step = { row, event: 'rejected', to: 'audit_rejected', detail: reason, who, changes: { reason } } as const
    await applyWithdrawalSteps(uow, [step], deps.clock())
    const { merchant_id: merchantId } = row
    recordEvent(deps, uow, { merchantId, type: 'withdrawal_rejected', from: null, params: { id } })
  })

/**
 * Cancels a withdrawal for the operator. Without a nonce it is released at once, as is an abnormal one. One that is
 * sent is cancelled by a transaction with the same nonce, and released once that is final; another call meanwhile
 * changes nothing. Returns whether it was released.
 */
export const stopWithdrawal = (
  deps: Deps,
  { id, reason, who = '' }: { id: string; reason: string; who?: string },
): Promise<boolean> =>
  tx(deps.pool, async (c, uow) => {
    const carrier = await findCarryingTransaction(c, id)
    // The engine locks a transaction before what it carries.
    // guard: carrier-first
    const sent = carrier && (await lockOutgoing(c, carrier.out_chain!, carrier.out_from!, carrier.out_nonce!))
    const row = await lockAnyWithdrawal(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const state = withdrawalStateOf(row)
    if (state === 'canceled') return true
    const { merchant_id: merchantId, out_chain, out_from, out_nonce } = row
    if (state !== 'abnormal' && out_chain !== null && out_from !== null && out_nonce !== null) {
      // A transaction that has taken it meanwhile is not locked: the operator decides anew.
      const isCarrier = carrier?.out_from === out_from && carrier.out_nonce === out_nonce
      const ref = { chain_id: out_chain, from_address: out_from, nonce: out_nonce }
      const isStopped = async () =>
        (sent?.state === 'assigned' || sent?.state === 'sent') &&
        (await readItems(c, ref)).get('withdrawal')?.some(item => item.id === id && item.stopped)
      if (!isCarrier || !((await cancelOutgoing(c, ref, reason, deps.clock(), id)) || (await isStopped())))
        throw new Refusal('withdrawal_cannot_change', { field: 'id' })
      return false
    }
    const event = state === 'abnormal' ? 'released' : 'canceled'
    await applyWithdrawalSteps(
      uow,
      [{ row, event, to: 'canceled', detail: reason, who, changes: { reason } }],
      deps.clock(),
    )
    recordEvent(deps, uow, { merchantId, type: 'withdrawal_canceled', from: null, params: { id } })
    return true
  })
