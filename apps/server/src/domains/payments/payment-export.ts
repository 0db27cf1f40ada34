import { forms } from '@coffer/chains/forms.ts'
import { endOfTime } from '@coffer/contract/limits.ts'
import { all, type Queryable, type Statements, variants } from '../../kit/db.ts'
import { describedSearches, type SearchKind, searchKind, searchText, searchValues } from './payment-filters.ts'
import type { PaymentFilter } from './payment-record.ts'

const columns = `p.trade_no, p.created_at, p.appid, p.out_trade_no, p.status, p.exception, p.usdt_amount, p.fiat_name, p.fiat_amount,
  p.asset_id, p.amount, p.paid_amount, p.fees, p.address, p.paid_at, p.metadata`

/** Columns that can be filtered on, in parameter order. */
const filtered = ['appid', 'status', 'out_trade_no', 'trade_no'] as const
/** Columns and searches the statement filters on. */
type NextKind = Record<(typeof filtered)[number], boolean> & SearchKind

function nextText(kind: NextKind): string {
  const given = filtered.filter(column => kind[column]).map((column, index) => ` and p.${column} = $${index + 6}`)
  const { from, where } = searchText(kind, 6 + given.length)
  return `select ${columns} from ${from}
    where p.merchant_id = $1 and p.created_at >= $3 and (p.created_at, p.trade_no) < ($4, $5)${given.join('')}${where}
    order by p.created_at desc, p.trade_no desc limit $2`
}

const kindOf = (has: (column: (typeof filtered)[number], index: number) => boolean, search: SearchKind) =>
  ({ ...Object.fromEntries(filtered.map((column, index) => [column, has(column, index)])), ...search }) as NextKind
const described = Array.from({ length: 2 ** filtered.length }, (_, bits) =>
  describedSearches.map(search => kindOf((_, index) => (bits >> index) % 2 === 1, search)),
).flat()
const readNext = variants('payments-next', nextText, described)

/**
 * A payment in an export. Amounts are in base units, times in unix seconds (0 for never). `txid` lists the credited
 * transactions, separated by spaces.
 */
export type ExportRow = Statements['payments-next']['row'] & { txid: string }

/** Reads the next payments that match a filter, newest first, after the given one (undefined: from the start). */
export async function nextPayments(
  c: Queryable,
  merchantId: string,
  filter: PaymentFilter,
  after: Pick<ExportRow, 'created_at' | 'trade_no'> | undefined,
  limit: number,
): Promise<ExportRow[]> {
  const rows = await paymentsNext(c, merchantId, filter, after, limit)
  const txids = await readTxids(
    c,
    merchantId,
    rows.map(row => row.trade_no),
  )
  return rows.map(row => Object.assign(row, { txid: txids.get(row.trade_no) ?? '' }))
}

/** Place of a payment in lists. */
type Place = Pick<ExportRow, 'created_at' | 'trade_no'>

/** Writes the place of a payment as a cursor, which `paymentsAfter` reads. */
export const cursorAt = ({ created_at, trade_no }: Place): string => `${created_at}-${trade_no}`

/** Reads the payments after a cursor, newest first. */
export function paymentsAfter(c: Queryable, merchantId: string, filter: PaymentFilter, cursor: string, limit: number) {
  const [created_at, trade_no] = cursor.split('-') as [string, string]
  return paymentsNext(c, merchantId, filter, { created_at: Number(created_at), trade_no }, limit)
}

function paymentsNext(
  c: Queryable,
  merchantId: string,
  filter: PaymentFilter,
  after: Place | undefined,
  limit: number,
) {
  const { start_time = 0, end_time = endOfTime } = filter
  const place = after && after.created_at <= end_time ? after : { created_at: end_time + 1, trade_no: '' }
  const from = [merchantId, limit, start_time, place.created_at, place.trade_no]
  const given = filtered.flatMap(column => filter[column] ?? [])
  return readNext(
    c,
    kindOf(column => filter[column] !== undefined, searchKind(filter)),
    ...from,
    ...given,
    ...searchValues(filter),
  )
}

const paidBy = all(
  'payments-txids',
  `select d.trade_no, h.kind, d.txid from deposits d join chains h on h.id = d.chain_id
   where d.merchant_id = $1 and d.trade_no = any($2) and d.state = 'credited' order by d.seen_at, d.id`,
)

/** Reads the display txids credited to a merchant's payments, by trade_no, separated by spaces. */
export async function readTxids(c: Queryable, merchantId: string, tradeNos: string[]): Promise<Map<string, string>> {
  const rows = await paidBy(c, merchantId, tradeNos)
  return new Map(
    Map.groupBy(rows, row => row.trade_no)
      .entries()
      .map(([tradeNo, of]) => [tradeNo, of.map(({ kind, txid }) => forms[kind].showTxid(txid)).join(' ')]),
  )
}
