import { paymentStatus } from '@coffer/contract/codes.ts'
import { variants } from '../../kit/db.ts'
import { recordColumns, recordTables } from './payment-record.ts'

/** Slot sizes of the payment counts, in seconds: month (30 days), day and hour. */
const [month, day, hour] = [2_592_000, 86_400, 3_600]
export const allStatuses = Object.values(paymentStatus)

/** Returns a time and the starts of the first hour, day and month slots at or after it. */
export const bounds = (time: number) => [time, ...[hour, day, month].map(span => Math.ceil(time / span) * span)]

/** Variant of the page statement. The text depends on nothing else, so each variant is prepared once. */
interface PageKind {
  status: number | null
  appid: boolean
  start: boolean
  end: boolean
  /** Page size. */
  limit: number
}

/**
 * Builds the page statement. `newer(t)` is the number of payments created at or after t: the counts of whole months, days
 * and hours, plus an index scan within the hour of t. The page starts at position $2 + newer(end), newest first. The
 * month, day and hour steps find the slot that contains this position and the number of payments before the slot, so that
 * at most one hour of payments is skipped. Every step includes changes not yet folded into the counts.
 */
export function pageText({ status, appid, start, end, limit }: PageKind): string {
  let next = appid ? 4 : 3
  const take = () => [0, 1, 2, 3].map(() => `$${next++}`)
  const startAt = start ? take() : null
  const endAt = end ? take() : null

  const ofApp = appid ? ' and appid = $3' : ''
  const n = status === null ? allStatuses.map(each => `n${each}`).join(' + ') : `n${status}`
  const counts = (span: number, within: string) =>
    `select slot, ${n} as n from payment_counts where merchant_id = $1 and span = ${span}${within}${ofApp}`
  const payments = (of: number | null) =>
    `from payments where merchant_id = $1${ofApp}${of === null ? '' : ` and status = ${of}`}`
  // The application index has status before the creation time: without a status filter, scan it once per status.
  const parts = appid && status === null ? allStatuses : [status]

  const newer = ([time, hours, days, months]: string[]) => `(select coalesce(sum(n), 0) from (
      select n from months where slot >= ${months}
      union all select n from (${counts(day, ` and slot >= ${days} and slot < ${months}`)}) days
      union all select n from (${counts(hour, ` and slot >= ${hours} and slot < ${days}`)}) hours
      union all select n from pending where time >= ${hours} and time < ${months}
      ${parts.map(of => `union all select count(*) ${payments(of)} and created_at >= ${time} and created_at < ${hours}`).join('\n')}
    ) counted)`
  const hit = (name: string, slots: string, before: string) => `${name} as materialized (
      select slot, before from (
        select slot, n, ${before} + sum(n) over (order by slot desc) - n as before from (${slots}) slots
      ) running
      where before <= (select place from wanted) and before + n > (select place from wanted)
    )`
  const step = (name: string, span: number, within: string, width: number) => {
    const inside = (column: string) =>
      ` and ${column} >= (select slot from ${within}) and ${column} < (select slot + ${width} from ${within})`
    const slots = `select slot, sum(n) as n from (
          ${counts(span, inside('slot'))} union all select time - time % ${span}, n from pending where true${inside('time')}
        ) counted group by slot`
    return hit(name, slots, `(select before from ${within})`)
  }

  return `with pending as materialized (
      select time, sum(n) as n from (
        select payment_created_at as time, appid, status_to as status, moved as n
        from statistics_changes where merchant_id = $1 and status_to is not null
        union all
        select payment_created_at, appid, status_from, -moved
        from statistics_changes where merchant_id = $1 and status_from is not null
      ) moves where true${ofApp}${status === null ? '' : ` and status = ${status}`} group by time
    ), months as materialized (
      select slot, sum(n) as n from (
        ${counts(month, '')} union all select time - time % ${month}, n from pending
      ) counted group by slot
    ), wanted as materialized (
      select newer_end + $2 as place, newer_start - newer_end as total from (
        select ${startAt ? newer(startAt) : '(select coalesce(sum(n), 0) from months)'} as newer_start,
          ${endAt ? newer(endAt) : '0'} as newer_end
      ) ends
    ), ${hit('month', 'select slot, n from months', '0')}, ${step('day', day, 'month', month)}, ${step('hour', hour, 'day', day)},
    place as materialized (
      select slot + ${hour} as before_time, (select place from wanted) - before as skip from hour
    ), page as materialized (
      select trade_no from (
        ${parts
          .map(
            of => `(select created_at, trade_no ${payments(of)} and created_at < (select before_time from place)
          ${startAt ? `and created_at >= ${startAt[0]}` : ''}
          order by created_at desc, trade_no desc limit (select skip from place) + ${limit})`,
          )
          .join(' union all ')}
      ) listed
      order by created_at desc, trade_no desc offset (select skip from place) limit ${limit}
    )
    select w.total::bigint as total, found.* from wanted w left join (
      select ${recordColumns} from page join ${recordTables} on p.merchant_id = $1 and p.trade_no = page.trade_no
    ) found on true
    order by found.created_at desc, found.trade_no desc`
}

const [no, yes] = [false, true]
const described: PageKind[] = [null, paymentStatus.open].flatMap(status =>
  [no, yes].flatMap(appid =>
    [no, yes].flatMap(start => [no, yes].map(end => ({ status, appid, start, end, limit: 1 }))),
  ),
)

/**
 * Reads one page and the total. Parameters: $1 merchant, $2 offset, then, where present, the appid, the `bounds` of the
 * range start (inclusive) and the `bounds` of the range end (exclusive).
 */
export const readPage = variants('payments-page', pageText, described)
