import type { Deps } from '../../deps.ts'
import type { ScopeRecheck } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { applyWithdrawalSteps, withdrawalStateOf } from './steps.ts'
import { lockWithdrawal } from './store.ts'

/** What is cancelled. An `appid` cancels its own, by its key. */
export interface CancelPayout {
  merchantId: string
  appid?: string
  id: string
  from: Visitor
  /** Refuses, in the transaction, a key whose scope was taken away meanwhile. */
  recheck?: ScopeRecheck
}

/**
 * Cancels a withdrawal that has no nonce yet, and releases its amount; none that gives a deposit back. Cancelling it
 * again changes nothing. An `appid` cancels its own.
 */
export async function cancelWithdrawal(
  deps: Deps,
  { merchantId, appid, id, from, recheck }: CancelPayout,
): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    await recheck?.(c)
    const row = await lockWithdrawal(c, merchantId, id)
    if (!row || (appid !== undefined && row.appid !== appid)) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    if (withdrawalStateOf(row) === 'canceled') return
    // It is the payer's money: an operator decides.
    if (row.origin === 'return') throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    // guard: unsent
    if (row.out_nonce !== null) throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    await applyWithdrawalSteps(uow, [{ row, event: 'canceled', to: 'canceled' }], deps.clock())
    recordEvent(deps, uow, { merchantId, type: 'withdrawal_canceled', from, params: { id } })
  })
}
