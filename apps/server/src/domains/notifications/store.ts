import { notificationStatus } from '@coffer/contract/codes.ts'
import { one, type Queryable, q } from '../../kit/db.ts'

const { read, unread } = notificationStatus

export interface NotificationRow {
  id: string
  types: number
  message: string
  params: Record<string, string>
  status: number
  created_at: number
}

/** A page of notifications, newest first. `status` and `types` are filters or null. */
export const listNotifications = (
  c: Queryable,
  merchantId: string,
  filter: { status: number | null; types: number | null },
  page: { limit: number; offset: number },
): Promise<NotificationRow[]> =>
  q(
    c,
    'notifications-list',
    `select id, types, message, params, status, created_at from notifications
     where merchant_id = $1 and ($2::int is null or status = $2) and ($3::int is null or types = $3)
     order by created_at desc, id desc limit $4 offset $5`,
    [merchantId, filter.status, filter.types, page.limit, page.offset],
  )

/** How many there are of the filter, and how many are unread of all. */
export async function countNotifications(
  c: Queryable,
  merchantId: string,
  filter: { status: number | null; types: number | null },
): Promise<{ total: number; unread: number }> {
  const row = await one<{ total: number; unread: number }>(
    c,
    'notifications-count',
    `select count(*) filter (where ($2::int is null or status = $2) and ($3::int is null or types = $3)) as total,
       count(*) filter (where status = ${unread}) as unread
     from notifications where merchant_id = $1`,
    [merchantId, filter.status, filter.types],
  )
  return row ?? { total: 0, unread: 0 }
}

/** Marks notifications of the merchant as read; `ids` null means all. Ids of others are no concern of theirs. */
export const markNotificationsRead = (c: Queryable, merchantId: string, ids: string[] | null) =>
  q(
    c,
    'notifications-read',
    `update notifications set status = ${read}
     where merchant_id = $1 and status = ${unread} and ($2::text[] is null or id = any($2))`,
    [merchantId, ids],
  )
