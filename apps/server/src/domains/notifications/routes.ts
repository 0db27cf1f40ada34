import type { Language, RouteData } from '@coffer/contract'
import { notificationGroups, notificationType } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { defineHandlers, toEmptyAnswer } from '../../http/context.ts'
import { tokenLogo } from '../../http/logos.ts'
import { type NotificationReader, rolesOfAudience } from '../../kit/audience.ts'
import { tx } from '../../kit/db.ts'
import { pageOf } from '../../kit/list.ts'
import { liveHints } from '../../kit/outbox.ts'
import { listSentMessages } from './list-sent.ts'
import { formatDeviceName, formatLocation } from './origin-text.ts'
import { findNotificationSubject, renderMessage } from './render-message.ts'
import { readMessageSettings, saveMessageSettings } from './settings.ts'
import {
  countUnreadMoneyNotifications,
  countUnreadNotifications,
  countUnreadWorkOrders,
  listNotifications,
  markNotificationsRead,
  type NotificationRow,
} from './store.ts'

export const messageHandlers = defineHandlers({
  'GET /api/v1/message': async ({ deps, session, query, language }) => {
    const group = query.group && notificationGroups[query.group].join()
    const filter = { status: query.all ? undefined : query.read, types: query.types, group }
    // Without a page size `all` gives everything in one answer.
    const pageSize = query.pageSize ?? (query.all ? limits.notificationsAllMax : limits.notificationPageSize)
    const { rows, total } = await listNotifications(deps.pool, session, filter, pageOf({ ...query, pageSize }))
    return {
      list: rows.map(row => notification(row, language)),
      total,
      unread: await countUnreadNotifications(deps.pool, session),
      unread_money: await countUnreadMoneyNotifications(deps.pool, session),
      work_orders: mayReadWorkOrders(session) ? await countUnreadWorkOrders(deps.pool, session.merchantId) : 0,
    }
  },

  'GET /api/v1/message/sent': ({ deps, session, language }) => listSentMessages(deps, session, language),

  'GET /api/v1/message/settings': ({ deps, session, language }) => readMessageSettings(deps, session, language),

  'PUT /api/v1/message/settings': ({ deps, session, body }) => toEmptyAnswer(saveMessageSettings(deps, session, body)),

  'PUT /api/v1/message/read': ({ deps, session, body: { message_ids } }) => {
    const ids = message_ids.filter(id => id !== -1)
    return tx(deps.pool, async (c, uow) => {
      await markNotificationsRead(c, session, ids.length === message_ids.length ? ids : null)
      uow.add(liveHints, [{ merchant_id: session.merchantId, type: 'notification', id: '' }])
      return { unread: await countUnreadNotifications(c, session) }
    })
  },
})

const mayReadWorkOrders = ({ role }: NotificationReader) => rolesOfAudience('work_orders').includes(role)

function notification(
  { id, types, message, params: stored, status, created_at, out_trade_no }: NotificationRow,
  language: Language,
): RouteData<'GET /api/v1/message'>['list'][number] {
  const params = out_trade_no === null ? stored : { ...stored, out_trade_no }
  const about = findNotificationSubject(message, params)
  const { ip = '', device = '', address = '', amount = '', token = '', chain = '', trade_no } = params
  return {
    id,
    ...renderMessage(message, params, language),
    status,
    types,
    created_time: created_at,
    ...(types === notificationType.login && {
      ip,
      device: formatDeviceName(device, language),
      address: formatLocation(address, language),
    }),
    ...(types === notificationType.aggregation && { amount, currency: { token, chain, logo: tokenLogo(token) } }),
    ...(trade_no && { trade_no }),
    ...(about && { about }),
  }
}
