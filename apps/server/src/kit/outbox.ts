import { type NotificationMessage, notificationAudiences, type ShopMessage } from '@coffer/contract/audiences.ts'
import { rolesOfAudience, rolesThatCollect } from './audience.ts'
import { all, type Queryable, run } from './db.ts'
import { makeOrderedIdGenerator, newId } from './ids.ts'
import type { LiveHint } from './live.ts'
import { isPresentSql } from './member.ts'
import type { UnitOfWork, UnitOfWorkPart } from './unit-of-work.ts'

export interface NewNotification {
  merchant_id: string
  /**
   * Key of an event that may be reported again, by a transaction that waits for the first. The duplicate is dropped.
   */
  id?: string
  /** See `notificationType` of the contract. */
  types: number
  /** The text is rendered in the reader's language. */
  message: NotificationMessage
  /** The person whom it is about, of what concerns one person; by default who opened the shop. */
  person_id?: string
  params: Record<string, string>
  created_at: number
}

/** The person of a member `e`, as notifications have it: empty for who opened the shop. */
const personSql = `case when e.person_id = e.merchant_id then '' else e.person_id end`
/** The id of the row of a member `e`: that of the event for who opened the shop, made of it for others. */
export const buildNotificationIdSql = (id: string): string =>
  `case when e.person_id = e.merchant_id then ${id}
     else left(${id}, 18) || left(encode(sha256(convert_to(${id} || ' ' || e.person_id, 'UTF8')), 'hex'), 18) end`

/**
 * Inserts a row for each member of the audience, and of a payment for who collected it and sees own ones only. Also
 * queues a push of received money, of what waits for somebody, and of what a thief may have done, to each device of the
 * readers.
 */
const insert = run(
  'notifications-insert',
  // Without `on conflict`, which logs a confirmation of each row. `not exists` beside `or` may be planned to read the
  // whole table.
  `with made as (
     insert into notifications (merchant_id, id, person_id, audience, types, message, params, created_at)
     select r.merchant_id, e.id, e.person, e.audience, r.types, r.message, r.params, r.created_at
     from json_to_recordset($1::json) as r(merchant_id text, id text, new_id text, person_id text, audience text,
       roles text[], collectors text[], types int, message text, params jsonb, created_at bigint)
     cross join lateral (
       select ${personSql} as person, ${buildNotificationIdSql('coalesce(r.id, r.new_id)')} as id,
         case when e.role = any(r.roles) then r.audience else 'collected' end as audience
       from members e
       where e.merchant_id = r.merchant_id and ${isPresentSql}
         and (e.role = any(r.roles) or e.role = any(r.collectors) and exists (
           select from payments p where p.merchant_id = r.merchant_id and p.trade_no = r.params ->> 'trade_no'
             and p.collected_by = e.person_id))
         and (r.person_id is null or e.person_id = r.person_id)
     ) e
     where r.id is null or (select true from notifications n where n.merchant_id = r.merchant_id and n.id = e.id) is null
     returning merchant_id, person_id, id, message, params, created_at
   )
   insert into pushes (device_id, notification_id, message, params, created_at, due_at)
   select d.id, made.id, made.message, made.params, made.created_at, made.created_at
   from made join push_devices d
     on d.merchant_id = made.merchant_id and d.person_id = coalesce(nullif(made.person_id, ''), made.merchant_id)
   where made.message in ('payment_paid', 'payment_partial', 'payment_over', 'payment_late', 'withdrawal_waits',
     'account_new_device', 'account_sign_in_linked', 'account_mailbox_changed', 'account_not_me')
     and d.seen_at > made.created_at - 90 * 86400`,
)

/** Inserts notifications, for each member whom they concern, in the transaction of the events they report. */
export async function insertNotifications(c: Queryable, rows: readonly NewNotification[]): Promise<void> {
  if (rows.length === 0) return
  const nextId = makeOrderedIdGenerator()
  const given = rows.map(row => {
    const audience = notificationAudiences[row.message]
    const person_id = audience === 'self' ? (row.person_id ?? row.merchant_id) : undefined
    const collectors = audience === 'payments' ? rolesThatCollect : undefined
    return { ...row, person_id, audience, roles: rolesOfAudience(audience), collectors, new_id: nextId() }
  })
  await insert(c, JSON.stringify(given))
}

/** Notifications, each with a hint for its merchant. */
export const notifications: UnitOfWorkPart<NewNotification> = {
  name: 'notifications',
  async write(c, rows, uow) {
    await insertNotifications(c, rows)
    const merchants = new Set(rows.map(row => row.merchant_id))
    for (const merchant_id of merchants) uow.hints.push({ merchant_id, type: 'notification', id: '' })
  },
}

/** Hints are sent by `tx` after the commit. A lost hint loses nothing, because every listener also polls. */
export const liveHints: UnitOfWorkPart<LiveHint> = {
  name: 'hints',
  write: async (_c, rows, uow) => void uow.hints.push(...rows),
}

const insertForAll = all(
  'notifications-everybody',
  `insert into notifications (merchant_id, id, person_id, audience, types, message, params, created_at)
   select m.id, ${buildNotificationIdSql('$1::text')}, ${personSql}, $7, $2::int, $3::text, $4::jsonb, $5::bigint
   from merchants m join members e on e.merchant_id = m.id
   where m.deleted_at is null and ($6::text[] is null or m.mchid = any($6))
     and ${isPresentSql} and e.role = any($8)
   returning merchant_id`,
)

/**
 * Inserts the same notification, under one id, for every merchant or those named. Returns the id and the number of
 * merchants.
 */
export async function insertNotificationForAll(
  uow: UnitOfWork,
  notification: Omit<NewNotification, 'merchant_id' | 'id' | 'person_id'> & { message: ShopMessage },
  mchids: readonly string[] | null = null,
): Promise<{ id: string; receivers: number }> {
  const id = newId()
  const { types, message, params, created_at } = notification
  const audience = notificationAudiences[message]
  const roles = rolesOfAudience(audience)
  const rows = await insertForAll(uow.c, id, types, message, params, created_at, mchids, audience, roles)
  const merchants = [...new Set(rows.map(row => row.merchant_id))]
  uow.add(
    liveHints,
    merchants.map(merchant_id => ({ merchant_id, type: 'notification', id })),
  )
  return { id, receivers: merchants.length }
}
