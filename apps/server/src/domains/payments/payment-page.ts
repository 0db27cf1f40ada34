import { paymentStatus } from '@coffer/contract/codes.ts'
import { boundsOf, countedPlace } from '../../kit/counted-place.ts'
import { variants } from '../../kit/db.ts'
import { depositsOfPage } from './deposit-view.ts'
import { recordColumns, recordsOfPage } from './payment-record.ts'

const allStatuses = Object.values(paymentStatus)

/** Variant of the page statement. The text depends on nothing else, so each variant is prepared once. */
interface PageKind {
  status: number | null
  appid: boolean
  start: boolean
  end: boolean
  /** Page size. */
  limit: number
  /** Whether to read the payments' deposits. */
  deposits: boolean
}

/** Builds the page statement: the page starts in the minute that the counts name, so that at most one minute is skipped. */
export function pageText({ status, appid, start, end, limit, deposits }: PageKind): string {
  let next = appid ? 4 : 3
  const take = () => `$${next++}`
  const startAt = start ? boundsOf(take) : null
  const endAt = end ? boundsOf(take) : null

  const ofApp = appid ? ' and appid = $3' : ''
  const n = status === null ? allStatuses.map(each => `n${each}`).join(' + ') : `n${status}`
  const counts = (span: number, within: string) =>
    `select slot, ${n} as n from payment_counts where merchant_id = $1 and span = ${span}${within}${ofApp}`
  const payments = `from payments where merchant_id = $1${ofApp}${status === null ? '' : ` and status = ${status}`}`
  const newest = (where: string, limit: string) =>
    `(select created_at, trade_no ${payments} and ${where}${startAt ? ` and created_at >= ${startAt[0]}` : ''}
      order by created_at desc, trade_no desc limit ${limit})`
  const inMinute = 'created_at >= (select slot from minute) and created_at < (select before_time from place)'

  return `with pending as materialized (
      select time, sum(n) as n from (
        select payment_created_at as time, appid, status_to as status, moved as n
        from statistics_changes where merchant_id = $1 and status_to is not null
        union all
        select payment_created_at, appid, status_from, -moved
        from statistics_changes where merchant_id = $1 and status_from is not null
      ) moves where true${ofApp}${status === null ? '' : ` and status = ${status}`} group by time
    ), ${countedPlace({
      counts,
      rows: (from, to) => `select count(*) ${payments} and created_at >= ${from} and created_at < ${to}`,
      start: startAt,
      end: endAt,
      offset: '$2',
    })}, page as materialized (
      select trade_no from (
        ${newest(inMinute, `(select skip from place) + ${limit}`)}
        union all
        ${newest('created_at < (select slot from minute)', `${limit}`)}
      ) listed
      order by created_at desc, trade_no desc offset (select skip from place) limit ${limit}
    )
    select w.total::bigint as total, found.* from wanted w left join (
      select ${recordColumns}, ${deposits ? depositsOfPage : 'null::json'} as deposits from ${recordsOfPage}
    ) found on true
    order by found.created_at desc, found.trade_no desc`
}

const [no, yes] = [false, true]
const described: PageKind[] = [null, paymentStatus.open].flatMap(status =>
  [no, yes].flatMap(appid =>
    [no, yes].flatMap(start =>
      [no, yes].flatMap(end => [no, yes].map(deposits => ({ status, appid, start, end, limit: 1, deposits }))),
    ),
  ),
)

/**
 * Reads one page and the total. Parameters: $1 merchant, $2 offset, then, where present, the appid, the `bounds` of the
 * range start (inclusive) and the `bounds` of the range end (exclusive).
 */
export const readPage = variants('payments-page', pageText, described)
