import type { Language, RouteData } from '@coffer/contract'
import { notificationGroups, notificationStatus, notificationType } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { type MerchantRole, officeRoles, readingRoles } from '@coffer/contract/kit/merchant-roles.ts'
import type { Deps } from '../../deps.ts'
import { defineHandlers } from '../../http/context.ts'
import { tokenLogo } from '../../http/logos.ts'
import { tx } from '../../kit/db.ts'
import { pageOf } from '../../kit/list.ts'
import { liveHints } from '../../kit/outbox.ts'
import { formatDeviceName, formatLocation } from './origin-text.ts'
import { findNotificationSubject, renderMessage } from './render-message.ts'
import {
  countUnreadMoneyNotifications,
  countUnreadNotifications,
  countUnreadWorkOrders,
  listNotifications,
  markNotificationsRead,
  type NotificationRow,
} from './store.ts'

export const messageHandlers = defineHandlers({
  'GET /api/v1/message': async ({ deps, session: { merchantId, role }, query, language }) => {
    const types = notificationGroups[query.group ?? 'notices'].filter(type => mayRead(role, type))
    const group = query.group || !mayRead(role) ? types.join() : undefined
    const filter = { status: query.all ? undefined : query.read, types: query.types, group }
    // Without a page size `all` gives everything in one answer.
    const pageSize = query.pageSize ?? (query.all ? limits.notificationsAllMax : limits.notificationPageSize)
    const { rows, total } = await listNotifications(deps.pool, merchantId, filter, pageOf({ ...query, pageSize }))
    return {
      list: rows.map(row => notification(row, language)),
      total,
      ...(await countUnread(deps, merchantId, role)),
    }
  },

  'PUT /api/v1/message/read': ({ deps, session: { merchantId }, body: { message_ids } }) => {
    const ids = message_ids.filter(id => id !== -1)
    return tx(deps.pool, async (c, uow) => {
      await markNotificationsRead(c, merchantId, ids.length === message_ids.length ? ids : null)
      uow.add(liveHints, [{ merchant_id: merchantId, type: 'notification', id: '' }])
      return { unread: await countUnreadNotifications(c, merchantId) }
    })
  },
})

/** Whether a role reads notifications of a type: who does not read everything of the shop reads announcements. */
const mayRead = (role: MerchantRole, type?: number): boolean =>
  type === notificationType.announcement || readingRoles.some(each => each === role)

async function countUnread({ pool }: Pick<Deps, 'pool'>, merchantId: string, role: MerchantRole) {
  const work_orders = officeRoles.some(each => each === role) ? await countUnreadWorkOrders(pool, merchantId) : 0
  if (mayRead(role))
    return {
      unread: await countUnreadNotifications(pool, merchantId),
      unread_money: await countUnreadMoneyNotifications(pool, merchantId),
      work_orders,
    }
  const filter = { status: notificationStatus.unread, types: notificationType.announcement }
  const { total: unread } = await listNotifications(pool, merchantId, filter, pageOf({ current: 1, pageSize: 1 }))
  return { unread, unread_money: 0, work_orders }
}

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
