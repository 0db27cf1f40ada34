import type { Deps } from '../../deps.ts'
import { bounds } from '../../kit/counted-place.ts'
import { all, type Queryable, type Statements } from '../../kit/db.ts'
import { type Page, plannedSize } from '../../kit/list.ts'
import { type DepositRow, definedDeposits, readDeposits } from './deposit-view.ts'
import { filterPayments, isSearch } from './payment-filters.ts'
import { readPage } from './payment-page.ts'
import { type PaymentFilter, type PaymentPage, type RecordRow, recordColumns, recordTables } from './payment-record.ts'

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
