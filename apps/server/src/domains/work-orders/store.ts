import { workOrderStatus } from '@coffer/contract/codes.ts'
import { noMerchantId } from '../../kit/audit.ts'
import { buildListCountSql } from '../../kit/counted-list.ts'
import { all, count, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import { defineList } from '../../kit/define-list.ts'
import type { Page } from '../../kit/list.ts'

const columns =
  'w.merchant_id, w.number, w.type, w.theme, w.status, w.about_kind, w.about_id, w.unread, w.created_at, w.updated_at, w.closed_at'

export type WorkOrder = Statements['work-order-lock']['row']
export type WorkOrderMessage = Statements['work-order-messages']['row']

/** The pattern of `like` for a part of a text. */
const patternOf = (text: string) => `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`
const ofMessages = (text: string) =>
  `exists (select from work_order_messages t where t.merchant_id = w.merchant_id and t.number = w.number and t.text ilike ${text})`
const list = { table: 'work_orders', row: 'w', time: 'updated_at', key: 'number' }
const filters = {
  status: { counted: 'a', column: 'w.status' },
  type: { counted: 'b', column: 'w.type' },
} as const

/** A merchant's work orders, last changed first. */
export const { page: listWorkOrders } = defineList({
  ...list,
  name: 'work-orders',
  of: 'GET /api/v1/work-order/list',
  columns: `${columns}, (
     select left(m.text, 200) from work_order_messages m where m.merchant_id = $1 and m.number = w.number order by m.id limit 1
   ) as description`,
  counted: { counts: 'work orders', ofGroup: 'r.status = g.a::int and r.type = g.b', ofAll: 'true' },
  filters: {
    ...filters,
    text: {
      stored: patternOf,
      column: text => `(w.number ilike ${text} or w.theme ilike ${text} or ${ofMessages(text)})`,
    },
  },
})

export const lockWorkOrder = first(
  'work-order-lock',
  `select ${columns} from work_orders w where w.number = $1 and ($2::text is null or w.merchant_id = $2) for no key update`,
)
export const readWorkOrder = first(
  'work-order-read',
  `select ${columns} from work_orders w where w.merchant_id = $1 and w.number = $2`,
)

const columnsOfAny = `${columns}, m.mchid, p.email, m.name as merchant`
const ofMerchant = 'join merchants m on m.id = w.merchant_id join persons p on p.id = coalesce(m.contact_id, m.id)'
/** Reads a work order of any merchant, for the operator. */
export const readAnyWorkOrder = first(
  'work-order-any',
  `select ${columnsOfAny} from work_orders w ${ofMerchant} where w.number = $1`,
)
const { in_progress } = workOrderStatus
const queue = defineList({
  ...list,
  name: 'any-work-orders',
  everyone: true,
  joins: ofMerchant,
  columns: columnsOfAny,
  order: `case when w.status = ${in_progress} then 1000000000000 - w.updated_at else w.updated_at end`,
  counted: { counts: 'work orders', ofGroup: 'r.status = g.a::int and r.type = g.b' },
  filters: {
    ...filters,
    waiting: {
      counted: is => `(a = '${in_progress}') = ${is}::bool`,
      column: is => `(w.status = ${in_progress}) = ${is}::bool`,
    },
    text: {
      stored: patternOf,
      column: text => `(w.number ilike ${text} or w.theme ilike ${text} or ${ofMessages(text)} or exists (
        select from merchants m join persons p on p.id = coalesce(m.contact_id, m.id)
        where m.id = w.merchant_id and (m.mchid ilike ${text} or p.email ilike ${text} or m.name ilike ${text})))`,
    },
  },
})

const countWaiting = count(
  'any-work-orders-waiting',
  buildListCountSql(
    'work orders',
    `a = '${in_progress}' and ($2::text is null or a = $2) and ($3::text is null or b = $3)`,
  ),
)

/**
 * Work orders of all merchants: unanswered ones first, those that waited longest first, and then the others, last
 * changed first.
 */
export async function listAnyWorkOrders(
  c: Queryable,
  filter: Parameters<typeof queue.page>[2],
  { offset, limit }: Page,
): ReturnType<typeof queue.page> {
  if (filter.text !== undefined) return queue.page(c, null, filter, { offset, limit })
  const part = (waiting: boolean, page: Page) => queue.page(c, null, { ...filter, waiting: String(waiting) }, page)
  const waiting = await countWaiting(
    c,
    noMerchantId,
    filter.status?.toString() ?? null,
    filter.type?.toString() ?? null,
  )
  // Those that wait are counted from the newest: their first page is the last one of that order.
  const first = Math.max(0, Math.min(limit, waiting - offset))
  const others = await part(false, { offset: Math.max(0, offset - waiting), limit: Math.max(1, limit - first) })
  const longest = first > 0 ? (await part(true, { offset: waiting - offset - first, limit: first })).rows : []
  return { total: waiting + others.total, rows: [...longest, ...others.rows.slice(0, limit - first)] }
}

/**
 * Reads the messages of a work order, oldest first, with the pictures that still exist and the number of deleted ones.
 */
export const listWorkOrderMessages = all(
  'work-order-messages',
  `select m.id, m.operator, m.text, m.created_at, p.found as pictures, coalesce(cardinality(m.pictures) - cardinality(p.found), 0) as pictures_deleted
   from work_order_messages m cross join lateral (
     select array(
       select name from unnest(m.pictures) with ordinality as sent(name, place)
       join work_order_pictures using (name) where merchant_id = $1 order by place
     ) as found
   ) p
   where m.merchant_id = $1 and m.number = $2 order by m.id`,
)

export const insertPicture = run(
  'work-order-picture-insert',
  `insert into work_order_pictures (name, merchant_id, number, type, bytes, created_at) values ($1, $2, $3, $4, $5, $6)`,
)
export const countPictures = count(
  'work-order-pictures-count',
  'select count(*) as n from work_order_pictures where merchant_id = $1',
)
/** Marks pictures as sent in a work order: the merchant's, which have no number before, or the operator's for it. */
export const markWorkOrderPicturesSent = run(
  'work-order-pictures-send',
  `update work_order_pictures set number = $2, sent = true
   where merchant_id = $1 and name = any($3) and not sent and (number is null or number = $2)`,
)
export const readPicture = first(
  'work-order-picture',
  'select type, bytes from work_order_pictures where merchant_id = $1 and name = $2',
)
export const readAnyPicture = first(
  'work-order-any-picture',
  'select type, bytes from work_order_pictures where number = $1 and name = $2',
)
/** Deletes pictures of work orders closed before $1, and unsent ones uploaded before $2. */
export const deletePictures = run(
  'work-order-pictures-delete',
  `delete from work_order_pictures p where (not sent and created_at < $2)
   or exists (select from work_orders w where w.merchant_id = p.merchant_id and w.number = p.number and w.closed_at < $1)`,
)

export const insertWorkOrder = run(
  'work-order-insert',
  `insert into work_orders (merchant_id, number, type, theme, status, about_kind, about_id, created_at, updated_at)
   values ($1, $2, $3, $4, ${workOrderStatus.in_progress}, $5, $6, $7, $7)`,
)
export const insertMessage = run(
  'work-order-message',
  `insert into work_order_messages (merchant_id, number, id, operator, text, pictures, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
)
export const updateWorkOrderStatus = run(
  'work-order-set',
  `update work_orders set status = $3, unread = $4, updated_at = $5, closed_at = $6 where merchant_id = $1 and number = $2`,
)
export const markWorkOrderRead = run(
  'work-order-mark-read',
  'update work_orders set unread = false where merchant_id = $1 and number = $2 and unread',
)

/** Reports whether a merchant has a payment, withdrawal or callback. */
export const findWorkOrderSubject = first(
  'work-order-subject',
  `select case $2::text
     when 'payment' then exists (select from payments where merchant_id = $1 and trade_no = $3)
     when 'withdrawal' then exists (select from withdrawals where merchant_id = $1 and id = $3)
     else exists (select from callbacks where merchant_id = $1 and id = $3)
   end as found`,
)
