import { parseDecimal } from '@coffer/contract/decimal.ts'
import { allowsWithdrawal, valueDecimals, type WithdrawalEvent } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { approveAs, mustBeAnother } from '../../kit/second-person.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { cancelOutgoing } from '../outgoing/cancel-outgoing.ts'
import { itemsOf, lockOutgoing } from '../outgoing/store.ts'
import { operator } from '../policies/policy.ts'
import { applySteps, stateOf } from './steps.ts'
import { carrierOf, lockAnyWithdrawal, type StoredWithdrawal } from './store.ts'

/** Key under which the approvals of a withdrawal are stored: each wait begins anew. */
export const approvalSubject = ({ id, events }: Pick<StoredWithdrawal, 'id' | 'events'>) => `withdrawal ${id} ${events}`

/** How many operators must approve a withdrawal. */
export const peopleFor = (
  { config }: Pick<Deps, 'config'>,
  { usdt_value }: Pick<StoredWithdrawal, 'usdt_value'>,
): number => {
  const limit = parseDecimal(String(config.withdrawTwoAbove), valueDecimals)!
  return limit > 0n && usdt_value > limit ? 2 : 1
}

/**
 * Approves a withdrawal that waits for it, or sends an abnormal one again, whose transaction is final without having paid. Another
 * approval changes nothing. `who` is the operator: an e-mail, or the user of the command line. Returns whether it waits for a second
 * operator, who must be another person. `confirm` runs in the same transaction, once the withdrawal is known to wait.
 */
export const approveWithdrawal = (
  deps: Deps,
  { id, who, confirm }: { id: string; who: string; confirm?: (c: Queryable, row: StoredWithdrawal) => Promise<void> },
): Promise<{ waits: boolean }> =>
  tx(deps.pool, async (c, uow) => {
    const row = await lockAnyWithdrawal(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const state = stateOf(row)
    if (state === 'transferring') return { waits: false }
    const event: WithdrawalEvent = state === 'abnormal' ? 'paid_again' : 'approved'
    if (!allowsWithdrawal(event, state, 'transferring')) throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    await confirm?.(c, row)
    await mustBeAnother(c, { merchantId: row.merchant_id, step: 'approval', who, now: deps.clock() })
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
  tx(deps.pool, async (c, uow) => {
    const row = await lockAnyWithdrawal(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    if (stateOf(row) === 'audit_rejected') return
    const step = { row, event: 'rejected', to: 'audit_rejected', detail: reason, changes: { reason } } as const
    await applySteps(uow, [step], deps.clock())
    const { merchant_id: merchantId } = row
    recordEvent(deps, uow, { merchantId, type: 'withdrawal_rejected', from: null, params: { id } })
  })

/**
 * Cancels a withdrawal for the operator. Without a nonce it is released at once, as is an abnormal one. One that is sent is
 * cancelled by a transaction with the same nonce, and released once that is final; another call meanwhile changes nothing. Returns
 * whether it was released.
 */
export const stopWithdrawal = (deps: Deps, { id, reason }: { id: string; reason: string }): Promise<boolean> =>
  tx(deps.pool, async (c, uow) => {
    const carrier = await carrierOf(c, id)
    // The engine locks a transaction before what it carries.
    // guard: carrier-first
    const sent = carrier && (await lockOutgoing(c, carrier.out_chain!, carrier.out_from!, carrier.out_nonce!))
    const row = await lockAnyWithdrawal(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const state = stateOf(row)
    if (state === 'canceled') return true
    const { merchant_id: merchantId, out_chain, out_from, out_nonce } = row
    if (state !== 'abnormal' && out_chain !== null && out_from !== null && out_nonce !== null) {
      // A transaction that has taken it meanwhile is not locked: the operator decides anew.
      const isCarrier = carrier?.out_from === out_from && carrier.out_nonce === out_nonce
      const ref = { chain_id: out_chain, from_address: out_from, nonce: out_nonce }
      const isStopped = async () =>
        (sent?.state === 'assigned' || sent?.state === 'sent') &&
        (await itemsOf(c, ref)).get('withdrawal')?.some(item => item.id === id && item.stopped)
      if (!isCarrier || !((await cancelOutgoing(c, ref, reason, deps.clock(), id)) || (await isStopped())))
        throw new Refusal('withdrawal_cannot_change', { field: 'id' })
      return false
    }
    const event = state === 'abnormal' ? 'released' : 'canceled'
    await applySteps(uow, [{ row, event, to: 'canceled', detail: reason, changes: { reason } }], deps.clock())
    recordEvent(deps, uow, { merchantId, type: 'withdrawal_canceled', from: null, params: { id } })
    return true
  })
