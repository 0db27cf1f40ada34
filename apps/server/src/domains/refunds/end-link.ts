import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { events } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockMerchantPayment } from '../payments/store.ts'
import type { CancelPayout } from '../withdrawals/cancel-withdrawal.ts'
import { endOpenRefundLink, expiredLinks, readRefundLink, type StoredRefundLink } from './link-store.ts'
import { endRefundOfPayment } from './steps.ts'
import { findPendingRefund, subtractRefundedAmount } from './store.ts'

/** Cancels a link that was not claimed. Cancelling it again changes nothing. An `appid` cancels its own. */
export async function cancelUnclaimedRefundLink(
  deps: Deps,
  { merchantId, appid, id, from, recheck }: CancelPayout,
): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    await recheck?.(c)
    const row = await readRefundLink(c, merchantId, id)
    if (!row || (appid !== undefined && row.appid !== appid)) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    if (row.state === 'canceled') return
    const isEnded = await end(deps, uow, row, 'canceled')
    const now = isEnded ? 'canceled' : (await readRefundLink(c, merchantId, id))?.state
    if (now !== 'canceled') throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    if (isEnded) recordEvent(deps, uow, { merchantId, type: 'refund_link_canceled', from, params: { id } })
  })
}

/** Ends links that nobody claimed in time, and notifies their merchants. Returns whether there may be more. */
export async function expireRefundLinks(deps: Deps): Promise<boolean> {
  const expired = await expiredLinks(deps.pool, deps.clock())
  for (const { merchant_id, id } of expired)
    await tx(deps.pool, async (c, uow) => {
      const row = (await readRefundLink(c, merchant_id, id))!
      if (!(await end(deps, uow, row, 'expired'))) return
      const params = { trade_no: row.trade_no }
      const about = { merchant_id, name: 'refund_link_expired' as const, params }
      uow.add(events, [{ ...about, created_at: deps.clock() }])
    })
  return expired.length === 100
}

/** Ends an open link: what it held for the refund returns to the payment. Returns false if it has ended already. */
async function end(
  deps: Deps,
  uow: UnitOfWork,
  row: StoredRefundLink,
  state: 'canceled' | 'expired',
): Promise<boolean> {
  const { merchant_id: merchantId, trade_no: tradeNo, amount } = row
  // Before the link, as a claim locks them.
  await lockMerchantPayment(uow.c, merchantId, tradeNo)
  // guard: link-ends-once
  if ((await endOpenRefundLink(uow.c, merchantId, row.id, state, null)) === 0) return false
  // The payment is then under that refund: a link for a part leaves the status alone.
  if (await findPendingRefund(uow.c, merchantId, tradeNo))
    await subtractRefundedAmount(uow.c, merchantId, tradeNo, amount)
  else await endRefundOfPayment(deps, uow, { ...row, counted: amount }, 'canceled', deps.clock())
  return true
}
