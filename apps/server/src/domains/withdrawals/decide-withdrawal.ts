import type { WithdrawalState } from '@coffer/contract/codes.ts'
import { parseDecimal } from '@coffer/contract/decimal.ts'
import { allowsWithdrawal, valueDecimals, type WithdrawalEvent } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { approveAs } from '../../kit/second-person.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { cancelOutgoing } from '../outgoing/cancel-outgoing.ts'
import { applySteps, type Step, stateOf } from './steps.ts'
import { lockAnyWithdrawal, type StoredWithdrawal } from './store.ts'

/** The operator, as the approver of a withdrawal. */
const operator = 'operator'

type Decided = Pick<Step, 'event' | 'to' | 'detail' | 'changes'>

/** Locks a withdrawal and applies what is decided for it; nothing when it is in the state `done` already. */
async function decide(
  deps: Deps,
  id: string,
  done: WithdrawalState,
  type: 'withdrawal_rejected' | 'withdrawal_released' | 'withdrawal_canceled',
  decided: (row: StoredWithdrawal) => Decided,
): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    const row = await lockAnyWithdrawal(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    if (stateOf(row) === done) return
    await applySteps(uow, [{ row, ...decided(row) }], deps.clock())
    recordEvent(deps, uow, { merchantId: row.merchant_id, type, from: null, params: { id } })
  })
}

/** What the approvals of a withdrawal are kept under: each time that it waits begins anew. */
export const approvalSubject = ({ id, events }: Pick<StoredWithdrawal, 'id' | 'events'>) => `withdrawal ${id} ${events}`

/** How many operators must approve a withdrawal. */
export const peopleFor = (
  { config }: Pick<Deps, 'config'>,
  { usdt_value }: Pick<StoredWithdrawal, 'usdt_value'>,
): number => {
  const limit = parseDecimal(String(config.withdrawTwoAbove), valueDecimals)!
  return limit > 0n && BigInt(usdt_value) > limit ? 2 : 1
}

/**
 * Approves a withdrawal that waits for it, or sends an abnormal one again, whose transaction is final without having paid. Another
 * approval changes nothing. `who` is the operator: an e-mail, or the user of the command line. Returns whether it waits for a second
 * operator, who must be another person.
 */
export const approveWithdrawal = (deps: Deps, { id, who }: { id: string; who: string }): Promise<{ waits: boolean }> =>
  tx(deps.pool, async (c, uow) => {
    const row = await lockAnyWithdrawal(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const state = stateOf(row)
    if (state === 'transferring') return { waits: false }
    const event: WithdrawalEvent = state === 'abnormal' ? 'paid_again' : 'approved'
    if (!allowsWithdrawal(event, state, 'transferring')) throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    const approval = { subject: approvalSubject(row), who, people: peopleFor(deps, row), now: deps.clock() }
    if (!(await approveAs(c, approval))) return { waits: true }
    const fresh = { reason: '', txid: '', out_chain: null, out_from: null, out_nonce: null }
    const changes = { approved_by: operator, approved_at: deps.clock(), ...(event === 'paid_again' && fresh) }
    await applySteps(uow, [{ row, event, to: 'transferring', changes }], deps.clock())
    const { merchant_id: merchantId } = row
    recordEvent(deps, uow, { merchantId, type: 'withdrawal_approved', from: null, params: { id } })
    return { waits: false }
  })

/** Rejects a withdrawal that waits for approval, and releases its amount. */
export const rejectWithdrawal = (deps: Deps, { id, reason }: { id: string; reason: string }): Promise<void> =>
  decide(deps, id, 'audit_rejected', 'withdrawal_rejected', () => ({
    event: 'rejected',
    to: 'audit_rejected',
    detail: reason,
    changes: { reason },
  }))

/**
 * Cancels a withdrawal for the operator. Without a nonce it is released at once, as is an abnormal one. One that is sent is
 * cancelled by a transaction with the same nonce, and released once that is final. Returns whether it was released.
 */
export async function stopWithdrawal(deps: Deps, { id, reason }: { id: string; reason: string }): Promise<boolean> {
  const now = deps.clock()
  const carried = await tx(deps.pool, async c => {
    const row = await lockAnyWithdrawal(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const { out_chain, out_from, out_nonce } = row
    if (stateOf(row) === 'abnormal' || out_chain === null || out_from === null || out_nonce === null) return false
    const ref = { chain_id: out_chain, from_address: out_from, nonce: out_nonce }
    if (!(await cancelOutgoing(c, ref, reason, now, id))) throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    return true
  })
  if (carried) return false
  await decide(deps, id, 'canceled', 'withdrawal_canceled', row => ({
    event: stateOf(row) === 'abnormal' ? 'released' : 'canceled',
    to: 'canceled',
    detail: reason,
    changes: { reason },
  }))
  return true
}
