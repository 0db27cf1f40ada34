import { type ChainKind, kinds } from '@coffer/chains'
import type { PaymentException } from '@coffer/contract/codes.ts'
import { type Queryable, q } from '../../kit/db.ts'
import type { PaymentFilter } from './payment-list.ts'
import { allStatuses } from './payment-page.ts'

/** Later than any payment. */
const endOfTime = 10_000_000_000

/** A payment as an export reads it. Amounts are in base units, times in unix seconds (0: never). */
export interface ExportRow {
  trade_no: string
  created_at: number
  appid: string
  out_trade_no: string
  status: number
  exception: PaymentException
  usdt_amount: string
  fiat_name: string
  fiat_amount: string
  asset_id: string | null
  amount: string
  paid_amount: string
  fees: string
  address: string | null
  paid_at: number
  /** The transactions that paid it, joined by blanks. */
  txid: string
}

const columns = `trade_no, created_at, appid, out_trade_no, status, exception, usdt_amount, fiat_name, fiat_amount, asset_id, amount,
  paid_amount, fees, address, paid_at`

/** The next payments of a filter, newest first, after one that was read before (undefined: from the beginning). */
export async function nextPayments(
  c: Queryable,
  merchantId: string,
  filter: PaymentFilter,
  after: Pick<ExportRow, 'created_at' | 'trade_no'> | undefined,
  limit: number,
): Promise<ExportRow[]> {
  const { status, start_time = 0, end_time = endOfTime } = filter
  const values: unknown[] = [merchantId, limit, start_time, after?.created_at ?? end_time + 1, after?.trade_no ?? '']
  let where = ''
  let name = 'payments-next'
  for (const column of ['appid', 'status', 'out_trade_no', 'trade_no'] as const) {
    if (filter[column] === undefined) continue
    values.push(filter[column])
    where += ` and ${column} = $${values.length}`
    name += ` ${column}`
  }
  const part = (of: number | null) => `(select ${columns} from payments
    where merchant_id = $1 and created_at >= $3 and (created_at, trade_no) < ($4, $5)${where}${of === null ? '' : ` and status = ${of}`}
    order by created_at desc, trade_no desc limit $2)`
  // The index of an application goes by status: without a filter it is read once for each.
  const parts = filter.appid !== undefined && status === undefined ? allStatuses : [null]
  const rows = await q<ExportRow>(
    c,
    name,
    `select * from (${parts.map(part).join(' union all ')}) listed order by created_at desc, trade_no desc limit $2`,
    values,
  )
  const txids = await readTxids(
    c,
    merchantId,
    rows.map(row => row.trade_no),
  )
  for (const row of rows) row.txid = txids.get(row.trade_no) ?? ''
  return rows
}

/** The transactions that paid payments of a merchant, as people are shown them, by trade_no, joined by blanks. */
export async function readTxids(c: Queryable, merchantId: string, tradeNos: string[]): Promise<Map<string, string>> {
  const { rows } = await c.query<[string, ChainKind, string]>({
    name: 'payments-txids',
    text: `select d.trade_no, h.kind, d.txid from deposits d join chains h on h.id = d.chain_id
      where d.merchant_id = $1 and d.trade_no = any($2) and d.state = 'credited' order by d.seen_at, d.id`,
    values: [merchantId, tradeNos],
    rowMode: 'array',
  })
  const shown = ([, kind, txid]: (typeof rows)[number]) => kinds[kind].showTxid(txid)
  return new Map(
    Map.groupBy(rows, row => row[0])
      .entries()
      .map(([tradeNo, of]) => [tradeNo, of.map(shown).join(' ')]),
  )
}
