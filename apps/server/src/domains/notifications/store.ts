import { notificationGroups, notificationStatus } from '@coffer/contract/codes.ts'
import { audiencesOfRole, type NotificationReader } from '../../kit/audience.ts'
import { buildListCountSql } from '../../kit/counted-list.ts'
import { count, type Queryable, run, type Statements } from '../../kit/db.ts'
import { defineList } from '../../kit/define-list.ts'
import { buildPaymentNameSql } from '../../kit/format-payment-name.ts'
import type { Page } from '../../kit/list.ts'

const { read, unread } = notificationStatus

export type NotificationRow = Statements['notifications-list']['row']

const { page } = defineList({
  name: 'notifications',
  table: 'notifications',
  row: 'n',
  // What is reported of a payment later names it by its number alone.
  joins: `left join payments p on p.merchant_id = n.merchant_id and p.trade_no = n.params->>'trade_no'`,
  columns: `n.id, n.types, n.message, n.params, n.status, n.created_at, ${buildPaymentNameSql('p')} as out_trade_no`,
  counted: {
    ofGroup: `r.status = g.a::int and r.types = g.b::int
      and r.audience = split_part(g.c, ' ', 1) and r.person_id = split_part(g.c, ' ', 2)`,
  },
  filters: {
    status: { counted: 'a' },
    types: { counted: 'b' },
    group: { counted: types => `b = any(string_to_array(${types}, ','))` },
    of: { counted: groups => `c = any(string_to_array(${groups}, ','))` },
  },
})

/** The person of a reader's rows: empty for who opened the shop. */
const personOf = ({ merchantId, personId }: NotificationReader) => (personId === merchantId ? '' : personId)

/** Returns the groups of the rows that a reader has, by whom they concern. */
const groupsOf = (reader: NotificationReader) =>
  audiencesOfRole(reader.role).map(audience => `${audience} ${personOf(reader)}`.trimEnd())

type Filter = Omit<Parameters<typeof page>[2], 'of'>

/** Lists a reader's notifications that still concern the role. */
export const listNotifications = (c: Queryable, reader: NotificationReader, filter: Filter, of: Page) =>
  page(c, reader.merchantId, { ...filter, of: groupsOf(reader).join() }, of)

const unreadSql = `a = '${unread}' and c = any($2::text[])`
const countUnread = count('notifications-unread', buildListCountSql('notifications', unreadSql))
const countUnreadMoney = count(
  'notifications-unread-money',
  buildListCountSql(
    'notifications',
    `${unreadSql} and b in (${notificationGroups.money.map(type => `'${type}'`).join()})`,
  ),
)

/** Counts the unread notifications of a reader. */
export const countUnreadNotifications = (c: Queryable, reader: NotificationReader): Promise<number> =>
  countUnread(c, reader.merchantId, groupsOf(reader))

/** Counts those of them in the group of money. */
export const countUnreadMoneyNotifications = (c: Queryable, reader: NotificationReader): Promise<number> =>
  countUnreadMoney(c, reader.merchantId, groupsOf(reader))

/** Counts the work orders of a merchant with an answer that was not read. */
export const countUnreadWorkOrders = count(
  'work-orders-unread',
  'select count(*) as n from work_orders where merchant_id = $1 and unread',
)

const markRead = run(
  'notifications-read',
  `update notifications set status = ${read}
   where merchant_id = $1 and person_id = $3 and audience = any($4::text[]) and status = ${unread}
     and ($2::text[] is null or id = any($2))`,
)

/** Marks notifications of a reader as read, all of them when the ids are null. */
export const markNotificationsRead = (c: Queryable, reader: NotificationReader, ids: string[] | null) =>
  markRead(c, reader.merchantId, ids, personOf(reader), audiencesOfRole(reader.role))
