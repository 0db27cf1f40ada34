import { notificationGroups, notificationStatus } from '@coffer/contract/codes.ts'
import { buildListCountSql } from '../../kit/counted-list.ts'
import { count, run, type Statements } from '../../kit/db.ts'
import { defineList } from '../../kit/define-list.ts'
import { buildPaymentNameSql } from '../../kit/format-payment-name.ts'

const { read, unread } = notificationStatus

export type NotificationRow = Statements['notifications-list']['row']

export const { page: listNotifications } = defineList({
  name: 'notifications',
  table: 'notifications',
  row: 'n',
  // What is reported of a payment later names it by its number alone.
  joins: `left join payments p on p.merchant_id = n.merchant_id and p.trade_no = n.params->>'trade_no'`,
  columns: `n.id, n.types, n.message, n.params, n.status, n.created_at, ${buildPaymentNameSql('p')} as out_trade_no`,
  counted: { ofGroup: 'r.status = g.a::int and r.types = g.b::int' },
  filters: {
    status: { counted: 'a' },
    types: { counted: 'b' },
    group: { counted: types => `b = any(string_to_array(${types}, ','))` },
  },
})

/** Counts the unread notifications of a merchant. */
export const countUnreadNotifications = count(
  'notifications-unread',
  buildListCountSql('notifications', `a = '${unread}'`),
)

/** Counts those of them in the group of money. */
export const countUnreadMoneyNotifications = count(
  'notifications-unread-money',
  buildListCountSql(
    'notifications',
    `a = '${unread}' and b in (${notificationGroups.money.map(type => `'${type}'`).join()})`,
  ),
)

/** Counts the work orders of a merchant with an answer that was not read. */
export const countUnreadWorkOrders = count(
  'work-orders-unread',
  'select count(*) as n from work_orders where merchant_id = $1 and unread',
)

/** Marks notifications of the merchant as read, all of them when the ids are null. */
export const markNotificationsRead = run(
  'notifications-read',
  `update notifications set status = ${read}
   where merchant_id = $1 and status = ${unread} and ($2::text[] is null or id = any($2))`,
)
