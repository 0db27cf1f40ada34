import type { Data, Language } from '@coffer/contract'
import { notificationType } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/limits.ts'
import { defineHandlers } from '../../http/context.ts'
import { tokenLogo } from '../../http/logos.ts'
import { tx } from '../../kit/db.ts'
import { pageOf } from '../../kit/list.ts'
import { hints } from '../../kit/outbox.ts'
import { deviceText, locationText } from './origin-text.ts'
import { renderMessage } from './render-message.ts'
import {
  countUnread,
  countUnreadOrders,
  listNotifications,
  markNotificationsRead,
  type NotificationRow,
} from './store.ts'

export const messageHandlers = defineHandlers({
  'GET /api/v1/message': async ({ deps, session: { merchantId }, query, language }) => {
    const filter = { status: query.all ? undefined : query.read, types: query.types }
    // Without a page size `all` gives everything in one answer.
    const pageSize = query.pageSize ?? (query.all ? limits.notificationsAllMax : limits.notificationPageSize)
    const { rows, total } = await listNotifications(deps.pool, merchantId, filter, pageOf({ ...query, pageSize }))
    const [unread, work_orders] = [
      await countUnread(deps.pool, merchantId),
      await countUnreadOrders(deps.pool, merchantId),
    ]
    return { list: rows.map(row => notification(row, language)), total, unread, work_orders }
  },

  'PUT /api/v1/message/read': ({ deps, session: { merchantId }, body: { message_ids } }) => {
    const ids = message_ids.filter(id => id !== -1)
    return tx(deps.pool, async (c, uow) => {
      await markNotificationsRead(c, merchantId, ids.length === message_ids.length ? ids : null)
      uow.add(hints, [{ merchant_id: merchantId, type: 'notification', id: '' }])
      return { unread: await countUnread(c, merchantId) }
    })
  },
})

function notification(
  { id, types, message, params, status, created_at }: NotificationRow,
  language: Language,
): Data<'GET /api/v1/message'>['list'][number] {
  const { ip = '', device = '', address = '', amount = '', token = '', chain = '', trade_no } = params
  return {
    id,
    ...renderMessage(message, params, language),
    status,
    types,
    created_time: created_at,
    ...(types === notificationType.login && {
      ip,
      device: deviceText(device, language),
      address: locationText(address, language),
    }),
    ...(types === notificationType.aggregation && { amount, currency: { token, chain, logo: tokenLogo(token) } }),
    ...(trade_no && { trade_no }),
  }
}
