import { notificationStatus } from '@coffer/contract/codes.ts'
import { countedList, countText } from '../../kit/counted-list.ts'
import { all, count, type Queryable, run, type Statements, variants } from '../../kit/db.ts'
import type { Page } from '../../kit/list.ts'

const { read, unread } = notificationStatus

export type NotificationRow = Statements['notifications-list']['row']

const counted = countedList({
  name: 'notifications',
  table: 'notifications',
  ofGroup: 'r.status = g.a::int and r.types = g.b::int',
  filters: { status: value => `a = ${value}`, types: value => `b = ${value}` },
})
const pageIds = variants('notifications-page', counted.textOf, counted.described)
const byIds = all(
  'notifications-list',
  `select id, types, message, params, status, created_at from notifications where merchant_id = $1 and id = any($2)
   order by created_at desc, id desc`,
)

/** Reads a page of notifications of a status and type, newest first, with the total. */
export async function listNotifications(
  c: Queryable,
  merchantId: string,
  { status, types }: { status: number | undefined; types: number | undefined },
  page: Page,
): Promise<{ rows: NotificationRow[]; total: number }> {
  const filter = { status: status?.toString(), types: types?.toString() }
  const { kind, values } = counted.request(merchantId, filter, {}, page)
  const [found] = await pageIds(c, kind, ...values)
  return { total: found!.total, rows: await byIds(c, merchantId, found!.ids.slice(0, page.limit)) }
}

/** Counts the unread notifications of a merchant. */
export const countUnread = count('notifications-unread', countText('notifications', `a = '${unread}'`))

/** Counts the work orders of a merchant with an answer that was not read. */
export const countUnreadOrders = count(
  'work-orders-unread',
  'select count(*) as n from work_orders where merchant_id = $1 and unread',
)

/** Marks notifications of the merchant as read, all of them when the ids are null. */
export const markNotificationsRead = run(
  'notifications-read',
  `update notifications set status = ${read}
   where merchant_id = $1 and status = ${unread} and ($2::text[] is null or id = any($2))`,
)
