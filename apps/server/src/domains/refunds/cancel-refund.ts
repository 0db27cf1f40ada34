import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { recordEvent } from '../merchants/account-events.ts'
import type { CancelPayout } from '../withdrawals/cancel-withdrawal.ts'
import { withdrawalStateOf } from '../withdrawals/steps.ts'
import { applyRefundSteps } from './steps.ts'
import { lockRefund } from './store.ts'

/**
 * Cancels a refund that has no nonce yet, and releases its amount. Cancelling it again changes nothing. An `appid`
 * cancels its own.
 */
export async function cancelRefund(deps: Deps, { merchantId, appid, id, from, recheck }: CancelPayout): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    await recheck?.(c)
    const row = await lockRefund(c, merchantId, id)
    if (!row || (appid !== undefined && row.appid !== appid)) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    if (withdrawalStateOf(row) === 'canceled') return
    if (row.out_nonce !== null) throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    await applyRefundSteps(deps, uow, [{ row, event: 'canceled', to: 'canceled' }], deps.clock())
    recordEvent(deps, uow, { merchantId, type: 'refund_canceled', from, params: { id } })
  })
}
