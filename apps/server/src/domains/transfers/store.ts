import { endOfTime } from '@coffer/contract/limits.ts'
import { countedList } from '../../kit/counted-list.ts'
import { all, first, type Queryable, run, type Statements, variants } from '../../kit/db.ts'
import type { Page } from '../../kit/list.ts'

/** Inserts the rows of both sides. $7 is the key of the request, or empty. */
export const insertTransfer = run(
  'transfer-insert',
  `insert into internal_transfers (merchant_id, id, direction, other_id, asset_id, amount, usdt_value, note, request_key, created_at)
   values ($2, $1, 'out', $3, $4, $5, $9, $6, nullif($7, ''), $8), ($3, $1, 'in', $2, $4, $5, $9, $6, null, $8)`,
)

/** Reads what the sender's request with a key transferred. */
export const transferOfRequest = first(
  'transfer-of-request',
  `select id, other_id, asset_id, amount, note from internal_transfers where merchant_id = $1 and request_key = $2`,
)

export interface TransferFilter {
  id?: string | undefined
  direction?: 'in' | 'out' | undefined
  token_id?: string | undefined
  start_time?: number | undefined
  end_time?: number | undefined
}

const counted = countedList({
  name: 'internal transfers',
  table: 'internal_transfers',
  ofGroup: 'r.direction = g.a and r.asset_id = g.b',
  filters: { direction: value => `a = ${value}`, token_id: value => `b = ${value}` },
})
const pageIds = variants('transfers-page', counted.textOf, counted.described)
const columns = `t.id, t.direction, t.amount, t.note, t.created_at, m.mchid, m.name, a.symbol as token, a.decimals,
  h.definition ->> 'name' as chain`
const tables = `internal_transfers t join merchants m on m.id = t.other_id
  join assets a on a.id = t.asset_id join chains h on h.id = a.chain_id`
const byIds = all(
  'transfers-list',
  `select ${columns} from ${tables} where t.merchant_id = $1 and t.id = any($2) order by t.created_at desc, t.id desc`,
)
const next = all(
  'transfers-next',
  `select ${columns} from ${tables}
   where t.merchant_id = $1 and ($3::text is null or t.id = $3) and ($4::text is null or t.direction = $4)
     and ($5::text is null or t.asset_id = $5) and t.created_at >= $6 and (t.created_at, t.id) < ($7, $8)
   order by t.created_at desc, t.id desc limit $2`,
)
export type TransferRow = Statements['transfers-list']['row']

/** Reads a page of a merchant's transfers, sent and received, newest first, with the total. */
export async function listTransfers(c: Queryable, merchantId: string, filter: TransferFilter, page: Page) {
  const { id, direction, token_id } = filter
  if (id !== undefined) {
    const rows = await nextTransfers(c, merchantId, filter, undefined, 1)
    return { total: rows.length, rows: rows.slice(page.offset) }
  }
  const { kind, values } = counted.request(merchantId, { direction, token_id }, filter, page)
  const [found] = await pageIds(c, kind, ...values)
  return { total: found!.total, rows: await byIds(c, merchantId, found!.ids.slice(0, page.limit)) }
}

/** Reads the next transfers that match a filter, newest first, after the given one (undefined: from the start). */
export function nextTransfers(
  c: Queryable,
  merchantId: string,
  { id, direction, token_id, start_time = 0, end_time = endOfTime }: TransferFilter,
  after: Pick<TransferRow, 'created_at' | 'id'> | undefined,
  limit: number,
): Promise<TransferRow[]> {
  const place = after ?? { created_at: end_time + 1, id: '' }
  return next(c, merchantId, limit, id, direction, token_id, start_time, place.created_at, place.id)
}
