import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { hints } from '../../kit/outbox.ts'
import { countNotifications, markNotificationsRead } from './store.ts'

/**
 * Marks notifications of the merchant as read; `ids` null means all. Ids that are not the merchant's change nothing.
 * Gives how many are still unread.
 */
export const markRead = (
  deps: Deps,
  { merchantId, ids }: { merchantId: string; ids: string[] | null },
): Promise<number> =>
  tx(deps.pool, async (c, uow) => {
    await markNotificationsRead(c, merchantId, ids)
    uow.add(hints, [{ merchant_id: merchantId, type: 'notification', id: '' }])
    return (await countNotifications(c, merchantId, { status: null, types: null })).unread
  })
