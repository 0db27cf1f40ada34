import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { approveAs, mustBeAnother } from '../../kit/second-person.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { approveInTurn, peopleFor } from '../withdrawals/decide-withdrawal.ts'
import { stateOf } from '../withdrawals/steps.ts'
import { applyRefundSteps } from './steps.ts'
import { lockAnyRefund } from './store.ts'

/** `seen`: when the refund had last changed (Unix seconds) as the operator read it. One that has failed again since is not paid. */
type Again = { id: string; who: string; seen?: number }

/** What an approval is for: a refund that fails once more needs another one. */
export const refundSubject = ({ id, events }: { id: string; events: number }): string => `refund ${id} ${events}`

/**
 * Sends an abnormal refund again, which the chain refused, or whose transaction is final without having paid. Another call changes
 * nothing. `who` is the operator. Returns whether it waits for a second operator, who must be another person.
 */
export const payRefundAgain = (deps: Deps, { id, who, seen }: Again): Promise<{ waits: boolean }> =>
  tx(deps.pool, async (c, uow) => {
    const row = await lockAnyRefund(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    if (stateOf(row) === 'transferring') return { waits: false }
    if (stateOf(row) !== 'abnormal') throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    if (seen !== undefined && seen !== row.updated_at) throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    const now = deps.clock()
    await mustBeAnother(c, { merchantId: row.merchant_id, step: 'approval', who, now })
    await approveInTurn(c)
    const approval = { subject: refundSubject(row), who, people: await peopleFor(deps, c, row), now }
    if (!(await approveAs(c, approval))) return { waits: true }
    const changes = { failure: '', txid: '', out_chain: null, out_from: null, out_nonce: null }
    await applyRefundSteps(deps, uow, [{ row, event: 'paid_again', to: 'transferring', changes }], now)
    recordEvent(deps, uow, { merchantId: row.merchant_id, type: 'refund_approved', from: null, params: { id } })
    return { waits: false }
  })

/** Cancels an abnormal refund: its amount returns to the merchant, and the payment leaves "under refund". */
export const releaseRefund = (deps: Deps, { id, reason }: { id: string; reason: string }): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    const row = await lockAnyRefund(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    if (stateOf(row) === 'canceled') return
    const step = { row, event: 'released', to: 'canceled', changes: { failure: reason } } as const
    await applyRefundSteps(deps, uow, [step], deps.clock())
    recordEvent(deps, uow, { merchantId: row.merchant_id, type: 'refund_canceled', from: null, params: { id } })
  })
