import { workOrderStatus } from '@coffer/contract/codes.ts'
import { all, count, first, type Queryable, run, type Statements } from '../../kit/db.ts'
import type { Page } from '../../kit/list.ts'

const columns =
  'w.merchant_id, w.number, w.type, w.theme, w.status, w.about_kind, w.about_id, w.unread, w.created_at, w.updated_at, w.closed_at'

export type WorkOrder = Statements['work-order-lock']['row']
export type WorkOrderMessage = Statements['work-order-messages']['row']

interface WorkOrderFilter {
  status?: number | undefined
  type?: string | undefined
  text?: string | undefined
}

/** Conditions of the list. $4 is a pattern of `like`. */
const matching = `w.merchant_id = $1 and ($2::int is null or w.status = $2) and ($3::text is null or w.type = $3)
  and ($4::text is null or w.number ilike $4 or w.theme ilike $4 or exists (
    select from work_order_messages m where m.merchant_id = $1 and m.number = w.number and m.text ilike $4
  ))`
const page = all(
  'work-orders-page',
  `select ${columns}, (
     select left(m.text, 200) from work_order_messages m where m.merchant_id = $1 and m.number = w.number order by m.id limit 1
   ) as description
   from work_orders w where ${matching} order by w.updated_at desc, w.number desc limit $5 offset $6`,
)
const total = count('work-orders-count', `select count(*) as n from work_orders w where ${matching}`)

/** The pattern of `like` for a part of a text. */
const patternOf = ({ text }: WorkOrderFilter) =>
  text?.trim() ? `%${text.trim().replace(/[\\%_]/g, '\\$&')}%` : undefined

/** Reads a page of a merchant's work orders, last changed first, with the total. A merchant has few. */
export async function listWorkOrders(
  c: Queryable,
  merchantId: string,
  filter: WorkOrderFilter,
  { limit, offset }: Page,
) {
  const { status, type } = filter
  const pattern = patternOf(filter)
  const rows = await page(c, merchantId, status, type, pattern, limit, offset)
  return { rows, total: await total(c, merchantId, status, type, pattern) }
}

export const lockWorkOrder = first(
  'work-order-lock',
  `select ${columns} from work_orders w where w.number = $1 and ($2::text is null or w.merchant_id = $2) for no key update`,
)
export const readWorkOrder = first(
  'work-order-read',
  `select ${columns} from work_orders w where w.merchant_id = $1 and w.number = $2`,
)

const ofAnybody = `select ${columns}, m.mchid, m.email, m.name as merchant from work_orders w join merchants m on m.id = w.merchant_id`
/** Reads a work order of any merchant, for the operator. */
export const readAnyWorkOrder = first('work-order-any', `${ofAnybody} where w.number = $1`)
/** Conditions of the operator's list. $3 is a pattern of `like`. */
const ofFilter = `where ($1::int is null or w.status = $1) and ($2::text is null or w.type = $2)
  and ($3::text is null or w.number ilike $3 or w.theme ilike $3 or m.mchid ilike $3 or m.email ilike $3 or m.name ilike $3
    or exists (select from work_order_messages t where t.merchant_id = w.merchant_id and t.number = w.number and t.text ilike $3))`
const { in_progress } = workOrderStatus
const pageOfAnybody = all(
  'work-orders-of-anybody',
  `${ofAnybody} ${ofFilter}
   order by w.status <> ${in_progress}, case when w.status = ${in_progress} then w.updated_at else -w.updated_at end, w.number
   limit $4 offset $5`,
)
const countOfAnybody = count(
  'work-orders-of-anybody-count',
  `select count(*) as n from work_orders w join merchants m on m.id = w.merchant_id ${ofFilter}`,
)
/** Reads a page of the work orders of all merchants with the total: unanswered ones first, those that waited longest first. */
export async function listAnyWorkOrders(c: Queryable, filter: WorkOrderFilter, { limit, offset }: Page) {
  const { status, type } = filter
  const pattern = patternOf(filter)
  const rows = await pageOfAnybody(c, status, type, pattern, limit, offset)
  return { rows, total: await countOfAnybody(c, status, type, pattern) }
}

/** Reads the messages of a work order, oldest first. */
export const messagesOf = all(
  'work-order-messages',
  `select id, operator, text, pictures, created_at from work_order_messages where merchant_id = $1 and number = $2 order by id`,
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
export const setWorkOrder = run(
  'work-order-set',
  `update work_orders set status = $3, unread = $4, updated_at = $5, closed_at = $6 where merchant_id = $1 and number = $2`,
)
export const markRead = run(
  'work-order-mark-read',
  'update work_orders set unread = false where merchant_id = $1 and number = $2 and unread',
)

/** Reports whether a merchant has a payment, withdrawal or callback. */
export const hasSubject = first(
  'work-order-subject',
  `select case $2::text
     when 'payment' then exists (select from payments where merchant_id = $1 and trade_no = $3)
     when 'withdrawal' then exists (select from withdrawals where merchant_id = $1 and id = $3)
     else exists (select from callbacks where merchant_id = $1 and id = $3)
   end as found`,
)
