import { merchantRoleNames, seesOwnPaymentsOnly } from '@coffer/contract/kit/merchant-roles.ts'
import { all, type Queryable, run } from './db.ts'
import { makeOrderedIdGenerator, newId } from './ids.ts'
import type { LiveHint } from './live.ts'
import type { UnitOfWork, UnitOfWorkPart } from './unit-of-work.ts'

export interface NewNotification {
  merchant_id: string
  /**
   * Key of an event that may be reported again, by a transaction that waits for the first. The duplicate is dropped.
   */
  id?: string
  /** See `notificationType` of the contract. */
  types: number
  /** A key of messages.ts. The text is rendered in the reader's language. */
  message: string
  params: Record<string, string>
  created_at: number
}

const ownOnly = merchantRoleNames.flatMap(role => (seesOwnPaymentsOnly(role) ? [`'${role}'`] : [])).join()

/**
 * Also queues a push of received money, of what waits for somebody, and of what a thief may have done, to each of the
 * merchant's devices. Of a person who sees own payments only, to the devices of this person: of these payments, and of
 * nothing else.
 */
const insert = run(
  'notifications-insert',
  // Without `on conflict`, which logs a confirmation of each row. `not exists` beside `or` may be planned to read the
  // whole table.
  `with made as (
     insert into notifications (merchant_id, id, types, message, params, created_at)
     select merchant_id, coalesce(id, new_id), types, message, params, created_at
     from json_to_recordset($1::json)
       as r(merchant_id text, id text, new_id text, types int, message text, params jsonb, created_at bigint)
     where id is null or (select true from notifications n where n.merchant_id = r.merchant_id and n.id = r.id) is null
     returning merchant_id, id, message, params, created_at
   )
   insert into pushes (device_id, notification_id, message, params, created_at, due_at)
   select d.id, made.id, made.message, made.params, made.created_at, made.created_at
   from made join push_devices d on d.merchant_id = made.merchant_id
     join members b on b.person_id = d.person_id and b.merchant_id = d.merchant_id and b.removed_at is null
   where made.message in ('payment_paid', 'payment_partial', 'payment_over', 'payment_late', 'withdrawal_waits',
     'account_new_device', 'account_sign_in_linked', 'account_mailbox_changed', 'account_not_me')
     and d.seen_at > made.created_at - 90 * 86400
     and (b.role not in (${ownOnly}) or exists (
       select from payments p where p.merchant_id = made.merchant_id and p.trade_no = made.params ->> 'trade_no'
         and p.collected_by = d.person_id))`,
)

/** Inserts notifications in the transaction of the events they report. */
export async function insertNotifications(c: Queryable, rows: readonly NewNotification[]): Promise<void> {
  if (rows.length === 0) return
  const nextId = makeOrderedIdGenerator()
  await insert(c, JSON.stringify(rows.map(row => ({ ...row, new_id: nextId() }))))
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
  `insert into notifications (merchant_id, id, types, message, params, created_at)
   select m.id, $1::text, $2::int, $3::text, $4::jsonb, $5::bigint from merchants m
   where m.deleted_at is null and ($6::text[] is null or m.mchid = any($6)) returning merchant_id`,
)

/**
 * Inserts the same notification, under one id, for every merchant or those named. Returns the id and the number of
 * merchants.
 */
export async function insertNotificationForAll(
  uow: UnitOfWork,
  notification: Omit<NewNotification, 'merchant_id' | 'id'>,
  mchids: readonly string[] | null = null,
): Promise<{ id: string; receivers: number }> {
  const id = newId()
  const { types, message, params, created_at } = notification
  const rows = await insertForAll(uow.c, id, types, message, params, created_at, mchids)
  uow.add(
    liveHints,
    rows.map(row => ({ merchant_id: row.merchant_id, type: 'notification', id })),
  )
  return { id, receivers: rows.length }
}
