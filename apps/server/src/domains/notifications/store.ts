import { notificationStatus } from '@coffer/contract/codes.ts'
import { all, first, run, type Statements } from '../../kit/db.ts'

const { read, unread } = notificationStatus

export type NotificationRow = Statements['notifications-list']['row']

/** Reads a page of notifications, newest first. A null status or type matches all. */
export const listNotifications = all(
  'notifications-list',
  `select id, types, message, params, status, created_at from notifications
   where merchant_id = $1 and ($2::int is null or status = $2) and ($3::int is null or types = $3)
   order by created_at desc, id desc limit $4 offset $5`,
)

/** Counts the notifications that match, and all unread ones. */
export const countNotifications = first(
  'notifications-count',
  `select count(*) filter (where ($2::int is null or status = $2) and ($3::int is null or types = $3)) as total,
     count(*) filter (where status = ${unread}) as unread
   from notifications where merchant_id = $1`,
)

/** Marks notifications of the merchant as read, all of them when the ids are null. */
export const markNotificationsRead = run(
  'notifications-read',
  `update notifications set status = ${read}
   where merchant_id = $1 and status = ${unread} and ($2::text[] is null or id = any($2))`,
)
