import { notificationStatus } from '@coffer/contract/codes.ts'
import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'

const { read, unread } = notificationStatus

export type NotificationRow = Statements['notifications-list']['row']

/** `status` and `types` are filters or null. */
interface Filter {
  status: number | null
  types: number | null
}

const list = all(
  'notifications-list',
  `select id, types, message, params, status, created_at from notifications
   where merchant_id = $1 and ($2::int is null or status = $2) and ($3::int is null or types = $3)
   order by created_at desc, id desc limit $4 offset $5`,
)

/** A page of notifications, newest first. */
export const listNotifications = (
  c: Queryable,
  merchantId: string,
  { status, types }: Filter,
  { limit, offset }: { limit: number; offset: number },
) => list(c, merchantId, status, types, limit, offset)

const count = first(
  'notifications-count',
  `select count(*) filter (where ($2::int is null or status = $2) and ($3::int is null or types = $3)) as total,
     count(*) filter (where status = ${unread}) as unread
   from notifications where merchant_id = $1`,
)

/** How many there are of the filter, and how many are unread of all. */
export const countNotifications = async (c: Queryable, merchantId: string, { status, types }: Filter) =>
  (await count(c, merchantId, status, types))!

/** Marks notifications of the merchant as read; null means all. Ids of others are no concern of theirs. */
export const markNotificationsRead = run(
  'notifications-read',
  `update notifications set status = ${read}
   where merchant_id = $1 and status = ${unread} and ($2::text[] is null or id = any($2))`,
)
