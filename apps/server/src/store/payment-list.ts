import { paymentStatus } from '@coffer/contract/codes.ts'
import { type Queryable, q } from './db.ts'
import { type RecordRow, recordColumns, recordTables } from './payment-record.ts'

/** Which payments of a merchant. Both ends of the time range (unix seconds, of creation) belong to it. */
export interface PaymentFilter {
  status?: number | undefined
  appid?: string | undefined
  out_trade_no?: string | undefined
  trade_no?: string | undefined
  start_time?: number | undefined
  end_time?: number | undefined
}

export interface PaymentPage {
  rows: RecordRow[]
  /** Of the whole filter, at the same moment. */
  total: number
}

/** The slots that payments are counted in, in seconds: month (of 30 days), day and hour. */
const [month, day, hour] = [2_592_000, 86_400, 3_600]
/** Later than any payment. */
export const endOfTime = month * 4_000
const allStatuses = Object.values(paymentStatus)

/**
 * One page of payments, newest first, with the exact total. Any page costs about the same: the counts tell the hour in
 * which it begins, so that at most the payments of that hour are skipped.
 */
export async function pagePayments(
  c: Queryable,
  merchantId: string,
  filter: PaymentFilter,
  page: { offset: number; limit: number },
): Promise<PaymentPage> {
  if (filter.trade_no !== undefined || filter.out_trade_no !== undefined)
    return fewPayments(c, merchantId, filter, page)
  const { status, appid, start_time: start = 0, end_time: end = endOfTime - 1 } = filter
  const values: unknown[] = [merchantId, page.offset, page.limit, ...bounds(start), ...bounds(Math.max(start, end + 1))]
  const { name, where } = filtered(values, { appid, status })
  const rows = await q<{ total: number } & RecordRow>(c, `payments-page${name}`, pageSql(where), values)
  return { total: rows[0]?.total ?? 0, rows: rows.filter(row => row.trade_no !== null) }
}

/** Conditions by application and status, whose values are added to `values`; `name` tells them apart. */
export function filtered(values: unknown[], columns: { appid: string | undefined; status: number | undefined }) {
  const where: Where = { counts: '', payments: '', statuses: [null] }
  if (columns.appid !== undefined && columns.status === undefined) where.statuses = allStatuses
  let name = ''
  for (const [column, value] of Object.entries(columns)) {
    if (value === undefined) continue
    values.push(value)
    name += `-${column}`
    where.counts += ` and ${column} = $${values.length}`
    where.payments += ` and i.${column} = $${values.length}`
  }
  return { name, where }
}

/** A moment, and the first hour, day and month that begin at it or after it. */
const bounds = (time: number) => [time, ...[hour, day, month].map(span => Math.ceil(time / span) * span)]

interface Where {
  counts: string
  payments: string
  /** Without a filter by status the index of an application is read once for each status, and the results merged. */
  statuses: (number | null)[]
}

/**
 * $1 merchant, $2 offset, $3 limit, $4 to $7 and $8 to $11 `bounds` of the range's start and of its end (not included).
 * `newer(t)` is how many payments there are from t on; the page begins behind $2 + newer(end) of all payments, and the
 * steps month, day, hour find the slot in which that place lies and how many payments come before the slot.
 */
function pageSql(where: Where): string {
  const payments = (status: number | null) =>
    `i.merchant_id = $1${where.payments}${status === null ? '' : ` and i.status = ${status}`}`
  const slots = (span: number, from: string, to?: string) =>
    `select n from payment_counts where merchant_id = $1 and span = ${span} and slot >= ${from}${to ? ` and slot < ${to}` : ''}${where.counts}`
  const newer = ([time, hours, days, months]: string[]) => `(select coalesce(sum(n), 0)::bigint from (
      ${slots(month, months!)} union all ${slots(day, days!, months)} union all ${slots(hour, hours!, days)}
      union all select n from pending where time >= ${hours}
      ${where.statuses.map(each => `union all select count(*) from payments i where ${payments(each)} and created_at >= ${time} and created_at < ${hours}`).join(' ')}
    ) counted)`
  const step = (name: string, span: number, within?: { name: string; span: number }) => {
    const inside = (column: string) =>
      within
        ? `and ${column} >= (select slot from ${within.name}) and ${column} < (select slot + ${within.span} from ${within.name})`
        : ''
    const before = within ? `(select before from ${within.name}) + ` : ''
    return `${name} as materialized (
      select slot, before from (
        select slot, n, ${before}sum(n) over (order by slot desc) - n as before from (
          select slot, sum(n) as n from (
            select slot, n from payment_counts where merchant_id = $1 and span = ${span} ${inside('slot')}${where.counts}
            union all select time - time % ${span}, n from pending where true ${inside('time')}
          ) counted group by slot
        ) slots
      ) running where before <= (select place from wanted) and before + n > (select place from wanted)
    )`
  }
  return `with pending as materialized (
      select payment_created_at as time, n from (
        select payment_created_at, appid, status_to as status, 1 as n from statistics_changes where merchant_id = $1 and status_to is not null
        union all
        select payment_created_at, appid, status_from, -1 from statistics_changes where merchant_id = $1 and status_from is not null
      ) moves where true${where.counts}
    ), wanted as materialized (
      select newer_end + $2 as place, newer_start - newer_end as total
      from (select ${newer(['$4', '$5', '$6', '$7'])} as newer_start, ${newer(['$8', '$9', '$10', '$11'])} as newer_end) ends
    ), ${step('month', month)}, ${step('day', day, { name: 'month', span: month })}, ${step('hour', hour, { name: 'day', span: day })},
    page as materialized (
      select trade_no from (
        ${where.statuses.map(each => `select created_at, trade_no from payments i where ${payments(each)} and created_at < (select slot + ${hour} from hour) and created_at >= $4`).join(' union all ')}
      ) listed
      order by created_at desc, trade_no desc
      offset (select (select place from wanted) - (select before from hour)) limit $3
    )
    select w.total, found.* from wanted w left join (
      select ${recordColumns} from page join ${recordTables} on p.merchant_id = $1 and p.trade_no = page.trade_no
    ) found on true
    order by found.created_at desc, found.trade_no desc`
}

/** By a number there are few: a trade_no is of one payment, an out_trade_no of one in each application. */
async function fewPayments(
  c: Queryable,
  merchantId: string,
  { status, appid, out_trade_no, trade_no, start_time, end_time }: PaymentFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<PaymentPage> {
  const by = trade_no === undefined ? 'p.out_trade_no = $2' : 'p.trade_no = $2'
  const rows = await q<RecordRow>(
    c,
    trade_no === undefined ? 'payments-by-out-trade-no' : 'payments-by-trade-no',
    `select ${recordColumns} from ${recordTables} where p.merchant_id = $1 and ${by}
       and ($3::text is null or p.out_trade_no = $3) and ($4::int is null or p.status = $4) and ($5::text is null or p.appid = $5)
       and ($6::bigint is null or p.created_at >= $6) and ($7::bigint is null or p.created_at <= $7)
     order by p.created_at desc, p.trade_no desc`,
    [merchantId, trade_no ?? out_trade_no, out_trade_no, status, appid, start_time, end_time],
  )
  return { total: rows.length, rows: rows.slice(offset, offset + limit) }
}
