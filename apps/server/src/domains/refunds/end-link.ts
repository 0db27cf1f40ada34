import { notificationType } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { notifications } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockPaymentOf } from '../payments/store.ts'
import { endOpenLink, expiredLinks, readLink, type StoredLink } from './link-store.ts'
import { returnToPayment } from './steps.ts'
import { refundUnderWay, takeRefunded } from './store.ts'

/** Cancels a link that was not claimed. Cancelling it again changes nothing. An `appid` cancels its own. */
export async function cancelLink(
  deps: Deps,
  { merchantId, appid, id, from }: { merchantId: string; appid?: string; id: string; from: Visitor },
): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    const row = await readLink(c, merchantId, id)
    if (!row || (appid !== undefined && row.appid !== appid)) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    if (row.state === 'canceled') return
    const isEnded = await end(deps, uow, row, 'canceled')
    const now = isEnded ? 'canceled' : (await readLink(c, merchantId, id))?.state
    if (now !== 'canceled') throw new Refusal('withdrawal_cannot_change', { field: 'id' })
    if (isEnded) recordEvent(deps, uow, { merchantId, type: 'refund_link_canceled', from, params: { id } })
  })
}

/** Ends links that nobody claimed in time, and notifies their merchants. Returns whether there may be more. */
export async function expireLinks(deps: Deps): Promise<boolean> {
  const expired = await expiredLinks(deps.pool, deps.clock())
  for (const { merchant_id, id } of expired)
    await tx(deps.pool, async (c, uow) => {
      const row = (await readLink(c, merchant_id, id))!
      if (!(await end(deps, uow, row, 'expired'))) return
      const params = { trade_no: row.trade_no }
      const about = { merchant_id, types: notificationType.payment, message: 'refund_link_expired' as const, params }
      uow.add(notifications, [{ ...about, created_at: deps.clock() }])
    })
  return expired.length === 100
}

/** Ends an open link: what it held for the refund returns to the payment. Returns false if it has ended already. */
async function end(deps: Deps, uow: UnitOfWork, row: StoredLink, state: 'canceled' | 'expired'): Promise<boolean> {
  const { merchant_id: merchantId, trade_no: tradeNo, amount } = row
  // Before the link, as a claim locks them.
  await lockPaymentOf(uow.c, merchantId, tradeNo)
  // guard: link-ends-once
  if ((await endOpenLink(uow.c, merchantId, row.id, state, null)) === 0) return false
  // The payment is then under that refund: a link for a part leaves the status alone.
  if (await refundUnderWay(uow.c, merchantId, tradeNo)) await takeRefunded(uow.c, merchantId, tradeNo, amount)
  else await returnToPayment(deps, uow, { ...row, counted: amount }, 'canceled', deps.clock())
  return true
}
