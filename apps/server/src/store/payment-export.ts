import type { Queryable } from './db.ts'
import { endOfTime, filtered, type PaymentFilter } from './payment-list.ts'

/** A payment as an export reads it, by place: `exportColumns`. */
export type ExportRow = (string | number | null)[]

const exportColumns = [
  'trade_no',
  'created_at',
  'appid',
  'out_trade_no',
  'status',
  'exception',
  'usdt_amount',
  'fiat_name',
  'fiat_amount',
  'asset_id',
  'amount',
  'paid_amount',
  'fees',
  'address',
  'paid_at',
] as const
export const exportPlace = Object.fromEntries(exportColumns.map((name, index) => [name, index])) as Record<
  (typeof exportColumns)[number],
  number
>

/** The next payments of a filter, newest first, after one that was read before (null: from the beginning). */
export async function nextPayments(
  c: Queryable,
  merchantId: string,
  { status, appid, out_trade_no, trade_no, start_time: start = 0, end_time: end = endOfTime }: PaymentFilter,
  after: { created_at: number; trade_no: string } | null,
  limit: number,
): Promise<ExportRow[]> {
  const values: unknown[] = [merchantId, limit, start, after?.created_at ?? end + 1, after?.trade_no ?? '']
  const { name, where } = filtered(values, { appid, status })
  let numbers = ''
  for (const [column, value] of Object.entries({ out_trade_no, trade_no })) {
    if (value === undefined) continue
    values.push(value)
    numbers += ` and i.${column} = $${values.length}`
  }
  const columns = exportColumns.join(', ')
  const part = (of: number | null) => `(select ${columns} from payments i
    where i.merchant_id = $1 and created_at >= $3 and (created_at, trade_no) < ($4, $5)
      ${where.payments}${numbers}${of === null ? '' : ` and i.status = ${of}`}
    order by created_at desc, trade_no desc limit $2)`
  const { rows } = await c.query<ExportRow>({
    name: `payments-next${name}${numbers && `-${values.length}${trade_no === undefined}`}`,
    text: `select * from (${where.statuses.map(part).join(' union all ')}) p order by created_at desc, trade_no desc limit $2`,
    values,
    rowMode: 'array',
  })
  return rows
}

/** The transactions that paid payments of a merchant, by trade_no; several are joined by blanks. */
export async function readTxids(c: Queryable, merchantId: string, tradeNos: string[]): Promise<Map<string, string>> {
  const { rows } = await c.query<[string, string]>({
    name: 'payments-txids',
    text: `select trade_no, string_agg(txid, ' ' order by seen_at, id) from deposits
      where merchant_id = $1 and trade_no = any($2) and state = 'credited' group by trade_no`,
    values: [merchantId, tradeNos],
    rowMode: 'array',
  })
  return new Map(rows)
}
