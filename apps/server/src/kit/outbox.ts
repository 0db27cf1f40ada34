import { all, type Queryable, run } from './db.ts'
import { idsInOrder, newId } from './ids.ts'
import type { HintMessage, LiveHint } from './live.ts'
import type { Part, UnitOfWork } from './unit-of-work.ts'

export interface NewNotification {
  merchant_id: string
  /** Idempotency key for an event that may be reported twice. The duplicate is dropped. */
  id?: string
  /** See `notificationType` of the contract. */
  types: number
  /** A key of messages.ts. The text is rendered in the reader's language. */
  message: string
  params: Record<string, string>
  created_at: number
}

const insert = run(
  'notifications-insert',
  `insert into notifications (merchant_id, id, types, message, params, created_at)
   select merchant_id, id, types, message, params, created_at
   from json_to_recordset($1::json)
     as r(merchant_id text, id text, types int, message text, params jsonb, created_at bigint)
   on conflict do nothing`,
)

/** Inserts notifications in the transaction of the events they report. */
export async function insertNotifications(c: Queryable, rows: readonly NewNotification[]): Promise<void> {
  if (rows.length === 0) return
  const nextId = idsInOrder()
  const list = rows.map(row => ({ ...row, id: row.id ?? nextId() }))
  await insert(c, JSON.stringify(list))
}

export const notifications: Part<NewNotification> = { name: 'notifications', write: insertNotifications }

const notify = run('hints-send', `select pg_notify('coffer', message) from unnest($1::text[]) as message`)

/** Maximum number of ids in one NOTIFY: PostgreSQL limits the payload to 8,000 bytes. */
const idsTogether = 100

/** Sends hints to every server process. PostgreSQL delivers them when the transaction commits. */
export async function sendHints(c: Queryable, rows: readonly LiveHint[]): Promise<void> {
  if (rows.length === 0) return
  const messages: string[] = []
  for (const some of Map.groupBy(rows, ({ merchant_id, type }) => `${type} ${merchant_id}`).values()) {
    const { merchant_id, type } = some[0]!
    const ids = [...new Set(some.map(each => each.id))]
    for (let from = 0; from < ids.length; from += idsTogether)
      messages.push(
        JSON.stringify({ merchant_id, type, ids: ids.slice(from, from + idsTogether) } satisfies HintMessage),
      )
  }
  await notify(c, messages)
}

export const hints: Part<LiveHint> = { name: 'hints', write: sendHints }

const insertForAll = all(
  'notifications-everybody',
  `insert into notifications (merchant_id, id, types, message, params, created_at)
   select m.id, $1::text, $2::int, $3::text, $4::jsonb, $5::bigint from merchants m where m.deleted_at is null returning merchant_id`,
)

/** Inserts the same notification for every merchant. Returns the number of merchants. */
export async function insertForEverybody(
  uow: UnitOfWork,
  notification: Omit<NewNotification, 'merchant_id' | 'id'>,
): Promise<number> {
  const id = newId()
  const { types, message, params, created_at } = notification
  const rows = await insertForAll(uow.c, id, types, message, params, created_at)
  uow.add(
    hints,
    rows.map(row => ({ merchant_id: row.merchant_id, type: 'notification', id })),
  )
  return rows.length
}
