import type { RouteFilter } from '@coffer/contract'
import { paymentStatus } from '@coffer/contract/codes.ts'
import type { Deps } from '../../../deps.ts'
import type { TimeRange } from '../../../kit/counted-list.ts'
import { buildPageStartSql, computeSlotBounds, nameSlotBoundParameters } from '../../../kit/counted-place.ts'
import { declareStatementVariants, type Queryable, type Statements } from '../../../kit/db.ts'
import { defineExportedList, type ListFilter } from '../../../kit/define-list.ts'
import { buildPaymentTitleSql } from '../../../kit/format-payment-name.ts'
import { choosePreparedPageSize, type Page } from '../../../kit/list.ts'
import { countMembersInSql } from '../../../kit/member.ts'
import type { PaymentScope } from '../../../kit/visible-to.ts'
import { paymentColumns, shownColumns } from '../columns.ts'
import { attachChainDefinitions, type DepositRow, pageDepositsSql, readDeposits } from '../to-deposit-view.ts'
import { findPaymentsByText } from './find-payments-by-text.ts'
import { parseTradeNoTimes, searchFilters } from './payment-search.ts'

/** Filter on a merchant's payments. The creation time range (unix seconds) is inclusive at both ends. */
export type PaymentFilter = Partial<RouteFilter<'GET /api/v1/transactions/list'>>
/** The same for statements: with the order numbers that the text found in its place. */
type FoundFilter = Omit<PaymentFilter, 'text'> & { found?: readonly string[] }

/** Who collected a payment, in a shop of several people. Asked once for a statement, whose $1 is the merchant. */
const collector = `case when p.collected_by <> '' and ${countMembersInSql('$1')} > 1 then (select email from persons where id = p.collected_by) end`
const columns = `${paymentColumns}, app.name as apply_name, ${buildPaymentTitleSql('p')} as title, p.collected_by,
  ${collector} as collector, a.symbol as token, a.decimals, a.contract, h.definition ->> 'name' as chain, h.kind`
const joins = `join applications app on app.merchant_id = p.merchant_id and app.appid = p.appid
  left join assets a on a.id = p.asset_id left join chains h on h.id = a.chain_id`

const rareFilters = {
  out_trade_no: {
    keys: (number: string) => `select trade_no from payments where merchant_id = $1 and out_trade_no = ${number}`,
  },
  trade_no: { keys: (number: string) => `select ${number}::text` },
  ...searchFilters,
}
const filters = { status: { column: 'p.status' }, appid: { column: 'p.appid' }, ...rareFilters } satisfies Record<
  Exclude<keyof FoundFilter, keyof TimeRange | 'collected_by'>,
  ListFilter
>
const list = { table: 'payments', row: 'p', key: 'trade_no', joins, columns }
const exported = {
  columns: `${shownColumns}, p.asset_id, p.key_index, p.metadata, p.fee_bps, ${buildPaymentTitleSql('p')} as title`,
}
/** Finds payments by filters of which each leaves few, and reads all for exports. */
const { page: pageOfFew, file } = defineExportedList({ ...list, name: 'payments', exported, filters })

/** Payments that one person collected, which are counted by person: these alone are read. */
const { page: pageOfCollected, file: collectedFile } = defineExportedList({
  ...list,
  name: 'payments-collected',
  exported,
  where: `p.collected_by <> ''`,
  counted: {
    counts: 'collected payments',
    ofGroup: `r.collected_by <> '' and r.collected_by = g.a and r.status = g.b::int and r.appid = g.c`,
  },
  filters: {
    collected_by: { counted: 'a', column: 'p.collected_by' },
    status: { counted: 'b', column: 'p.status' },
    appid: { counted: 'c', column: 'p.appid' },
    ...rareFilters,
  },
})

/** What a text found, newest payments first, each part with the other filters. */
export interface FoundPayments {
  parts: readonly FoundFilter[]
  /** The text found more than the parts have, which are the newest. */
  truncated: boolean
}

/**
 * Splits a filter by the beginning of platform order numbers into up to three, newest first: numbers begin with their
 * time, so within a range of time every payment matches and no text is searched. Before and after it those match whose
 * other texts begin with it.
 */
function partsOf(filter: PaymentFilter): PaymentFilter[] {
  const { text, start_time: start, end_time: end, ...rest } = filter
  const times = text === undefined ? undefined : parseTradeNoTimes(text)
  if (text === undefined || !times) return [filter]
  const [from, to] = times
  return [
    { ...rest, text, start_time: Math.max(to + 1, start ?? 0), ...(end !== undefined && { end_time: end }) },
    { ...rest, start_time: Math.max(from, start ?? 0), end_time: Math.min(to, end ?? to) },
    { ...rest, text, ...(start !== undefined && { start_time: start }), end_time: Math.min(from - 1, end ?? from) },
  ].filter(({ start_time = 0, end_time = Number.POSITIVE_INFINITY }) => start_time <= end_time)
}

/**
 * Searches for the text of a filter, once for all that is then read. Without a text there is nothing to search. What is
 * found is limited to what the caller may see, whatever the filter asks for.
 */
export async function findPayments(
  c: Queryable,
  { merchantId, collectedBy }: PaymentScope,
  filter: PaymentFilter,
): Promise<FoundPayments> {
  const limited = collectedBy === null ? filter : { ...filter, collected_by: collectedBy }
  const parts: FoundFilter[] = []
  let anyTruncated = false
  for (const { text, ...part } of partsOf(limited)) {
    if (text === undefined) {
      parts.push(part)
      continue
    }
    const { ids, truncated } = await findPaymentsByText(c, merchantId, text, part)
    parts.push({ ...part, found: ids })
    anyTruncated ||= truncated
  }
  return { parts, truncated: anyTruncated }
}

/** Reads payments that were found, newest first, after a given one. */
export async function nextPayments(
  c: Queryable,
  { merchantId, filter: { parts } }: { merchantId: string; filter: FoundPayments },
  after: { created_at: number; trade_no: string } | undefined,
  limit: number,
): Promise<Awaited<ReturnType<typeof file.next>>> {
  const rows: Awaited<ReturnType<typeof file.next>> = []
  for (const filter of parts) {
    if (after && (filter.start_time ?? 0) > after.created_at) continue
    const { next } = filter.collected_by === undefined ? file : collectedFile
    rows.push(...(await next(c, { merchantId, filter }, after, limit - rows.length)))
    if (rows.length === limit) break
  }
  return rows
}

/** A payment in the merchant's records. Its asset and chain are null until the payer chooses an asset. */
export type PaymentRecordRow = Statements['payments-list']['row']

interface PaymentPage {
  rows: PaymentRecordRow[]
  /** Number of payments that match the filter, from the same snapshot as the page. */
  total: number
}

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

/**
 * Builds the page statement: the page starts in the minute that the counts name, so that at most one minute is skipped.
 * Its payments are read by key: without the limit, PostgreSQL may plan to read all payments of an application.
 */
export function buildPageSql({ status, appid, start, end, limit, deposits }: PageKind): string {
  let next = appid ? 4 : 3
  const take = () => `$${next++}`
  const startAt = start ? nameSlotBoundParameters(take) : null
  const endAt = end ? nameSlotBoundParameters(take) : null

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
    ), ${buildPageStartSql({
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
      select ${columns}, ${deposits ? pageDepositsSql : 'null::json'} as deposits from page cross join lateral (
        select * from payments where merchant_id = $1 and trade_no = page.trade_no limit 1
      ) p ${joins}
    ) found on true
    order by found.created_at desc, found.trade_no desc`
}

const no = false
const yes = true
const described: PageKind[] = [null, paymentStatus.open].flatMap(status =>
  [no, yes].flatMap(appid =>
    [no, yes].flatMap(start =>
      [no, yes].flatMap(end => [no, yes].map(deposits => ({ status, appid, start, end, limit: 1, deposits }))),
    ),
  ),
)

/**
 * Reads one page and the total. Parameters: $1 merchant, $2 offset, then, where present, the appid, the
 * `computeSlotBounds` of
 * the range start (inclusive) and the `computeSlotBounds` of the range end (exclusive).
 */
const readPage = declareStatementVariants('payments-page', buildPageSql, described)

/**
 * Reads one page of payments, newest first, with the exact total. The cost is about the same for every offset: the
 * counts locate the minute in which the page starts, so that at most one minute of payments is skipped.
 */
export const pagePayments = async (
  c: Queryable,
  scope: PaymentScope,
  filter: PaymentFilter,
  page: Page,
): Promise<PaymentPage> => readFoundPaymentPage(c, scope.merchantId, await findPayments(c, scope, filter), page)

/** As `pagePayments`, of what was found. */
export const readFoundPaymentPage = (
  c: Queryable,
  merchantId: string,
  found: FoundPayments,
  page: Page,
): Promise<PaymentPage> =>
  pageOfParts(found, page, (part, page) =>
    isListed(part) ? pageOfList(c, merchantId, part, page) : locatedPage(c, merchantId, part, page, false),
  )

/**
 * Reads one page of payments as `pagePayments` does, each with its latest deposits, oldest first. `truncated`: the text
 * found more than are listed, which are the newest.
 */
export async function pageWithDeposits(
  { pool, clock }: Pick<Deps, 'pool' | 'clock'>,
  scope: PaymentScope,
  filter: PaymentFilter,
  page: Page,
): Promise<{ rows: { row: PaymentRecordRow; deposits: DepositRow[] }[]; total: number; truncated: boolean }> {
  const { merchantId } = scope
  const found = await findPayments(pool, scope, filter)
  const read = await pageOfParts(found, page, async (part, page) => {
    if (isListed(part)) {
      const { rows, total } = await pageOfList(pool, merchantId, part, page)
      const deposits = await readDeposits(pool, rows)
      return { rows: rows.map(row => ({ row, deposits: deposits.get(row.trade_no) ?? [] })), total }
    }
    const { rows, total } = await locatedPage(pool, merchantId, part, page, true)
    const deposits = await attachChainDefinitions(
      pool,
      clock(),
      rows.map(row => row.deposits ?? []),
    )
    return { rows: rows.map((row, n) => ({ row, deposits: deposits[n]! })), total }
  })
  return { ...read, truncated: found.truncated }
}

async function pageOfParts<Row>(
  { parts }: FoundPayments,
  { offset, limit }: Page,
  read: (part: FoundFilter, page: Page) => Promise<{ rows: Row[]; total: number }>,
): Promise<{ rows: Row[]; total: number }> {
  const rows: Row[] = []
  let total = 0
  for (const part of parts) {
    const missing = limit - rows.length
    // A full page still needs the totals of the other parts.
    const page = await read(part, { offset: Math.max(0, offset - total), limit: Math.max(1, missing) })
    rows.push(...page.rows.slice(0, missing))
    total += page.total
  }
  return { rows, total }
}

/** Whether the kit reads a list, of few payments or of one person's. The counts of all locate the pages of others. */
const isListed = (filter: FoundFilter) =>
  filter.collected_by !== undefined ||
  (Object.keys(rareFilters) as (keyof typeof rareFilters)[]).some(name => filter[name] !== undefined)

const pageOfList = (c: Queryable, merchantId: string, { collected_by, ...filter }: FoundFilter, page: Page) =>
  collected_by === undefined
    ? pageOfFew(c, merchantId, filter, page)
    : pageOfCollected(c, merchantId, { ...filter, collected_by }, page)

async function locatedPage(
  c: Queryable,
  merchantId: string,
  filter: FoundFilter,
  page: Page,
  deposits: boolean,
): Promise<{ total: number; rows: (PageRow & PaymentRecordRow)[] }> {
  const { status = null, appid = null, start_time = null, end_time = null } = filter
  const values: (string | number)[] = [merchantId, page.offset]
  if (appid !== null) values.push(appid)
  if (start_time !== null) values.push(...computeSlotBounds(start_time))
  if (end_time !== null) values.push(...computeSlotBounds(Math.max(start_time ?? 0, end_time + 1)))
  const kind = {
    status,
    appid: appid !== null,
    start: start_time !== null,
    end: end_time !== null,
    limit: choosePreparedPageSize(page.limit),
    deposits,
  }
  const rows = await readPage(c, kind, ...values)
  return { total: rows[0]?.total ?? 0, rows: rows.filter(isFound).slice(0, page.limit) }
}

type PageRow = Statements['payments-page']['row']

/** An empty page is returned as one row with only the total set. */
const isFound = (row: PageRow): row is PageRow & PaymentRecordRow => row.trade_no !== null
