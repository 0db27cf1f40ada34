import { paymentStatus } from '@coffer/contract/codes.ts'
import type { Deps } from '../../../deps.ts'
import { bounds, boundsOf, countedPlace } from '../../../kit/counted-place.ts'
import { all, type Queryable, type Statements, variants } from '../../../kit/db.ts'
import { type Page, plannedSize } from '../../../kit/list.ts'
import { type DepositRow, definedDeposits, depositsOfPage, readDeposits } from '../deposit-view.ts'
import {
  type PaymentFilter,
  type PaymentPage,
  type RecordRow,
  recordColumns,
  recordsOfPage,
  recordTables,
} from './payment-record.ts'
import { filterPayments, isSearch } from './payment-search.ts'

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
const readPage = variants('payments-page', pageText, described)

const by = (column: 'trade_no' | 'out_trade_no') =>
  `select ${recordColumns} from ${recordTables} where p.merchant_id = $1 and p.${column} = $2
     and ($3::text is null or p.out_trade_no = $3) and ($4::int is null or p.status = $4) and ($5::text is null or p.appid = $5)
     and ($6::bigint is null or p.created_at >= $6) and ($7::bigint is null or p.created_at <= $7)
   order by p.created_at desc, p.trade_no desc`
const byTradeNo = all('payments-by-trade-no', by('trade_no'))
const byOutTradeNo = all('payments-by-out-trade-no', by('out_trade_no'))

/**
 * Reads one page of payments, newest first, with the exact total. The cost is about the same for every offset: the
 * counts locate the minute in which the page starts, so that at most one minute of payments is skipped.
 */
export async function pagePayments(
  c: Queryable,
  merchantId: string,
  filter: PaymentFilter,
  page: Page,
): Promise<PaymentPage> {
  if (isSearch(filter)) return filterPayments(c, merchantId, filter, page)
  return isFew(filter) ? fewPayments(c, merchantId, filter, page) : locatedPage(c, merchantId, filter, page, false)
}

/** Reads one page of payments as `pagePayments` does, each with its latest deposits, oldest first. */
export async function pageWithDeposits(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  merchantId: string,
  filter: PaymentFilter,
  page: Page,
): Promise<{ rows: { row: RecordRow; deposits: DepositRow[] }[]; total: number }> {
  if (isSearch(filter) || isFew(filter)) {
    const { rows, total } = await pagePayments(pool, merchantId, filter, page)
    const deposits = await readDeposits(pool, rows)
    return { rows: rows.map(row => ({ row, deposits: deposits.get(row.trade_no) ?? [] })), total }
  }
  const { rows, total } = await locatedPage(pool, merchantId, filter, page, true)
  const deposits = await definedDeposits(
    pool,
    clock(),
    rows.map(row => row.deposits ?? []),
  )
  return { rows: rows.map((row, n) => ({ row, deposits: deposits[n]! })), total }
}

const isFew = ({ trade_no, out_trade_no }: PaymentFilter) => trade_no !== undefined || out_trade_no !== undefined

async function locatedPage(
  c: Queryable,
  merchantId: string,
  filter: PaymentFilter,
  page: Page,
  deposits: boolean,
): Promise<{ total: number; rows: (PageRow & RecordRow)[] }> {
  const { status = null, appid = null, start_time = null, end_time = null } = filter
  const values: (string | number)[] = [merchantId, page.offset]
  if (appid !== null) values.push(appid)
  if (start_time !== null) values.push(...bounds(start_time))
  if (end_time !== null) values.push(...bounds(Math.max(start_time ?? 0, end_time + 1)))
  const kind = {
    status,
    appid: appid !== null,
    start: start_time !== null,
    end: end_time !== null,
    limit: plannedSize(page.limit),
    deposits,
  }
  const rows = await readPage(c, kind, ...values)
  return { total: rows[0]?.total ?? 0, rows: rows.filter(isFound).slice(0, page.limit) }
}

type PageRow = Statements['payments-page']['row']

/** An empty page is returned as one row with only the total set. */
const isFound = (row: PageRow): row is PageRow & RecordRow => row.trade_no !== null

/** Pages in memory: a trade_no matches one payment, an out_trade_no at most one per application. */
async function fewPayments(
  c: Queryable,
  merchantId: string,
  { status, appid, out_trade_no, trade_no, start_time, end_time }: PaymentFilter,
  { offset, limit }: Page,
): Promise<PaymentPage> {
  const values = [out_trade_no, status, appid, start_time, end_time] as const
  const rows =
    trade_no === undefined
      ? await byOutTradeNo(c, merchantId, out_trade_no!, ...values)
      : await byTradeNo(c, merchantId, trade_no, ...values)
  return { total: rows.length, rows: rows.slice(offset, offset + limit) }
}
