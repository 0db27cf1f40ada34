import { all, type Queryable, type Statements } from '../../kit/db.ts'
import { defineList } from '../../kit/define-list.ts'
import { type Page, pageOfAll } from '../../kit/list.ts'

export type RefundRow = Statements['refunds-list']['row']

interface RefundFilter {
  status?: number | undefined
  token_id?: string | undefined
  appid?: string | undefined
  trade_no?: string | undefined
  id?: string | undefined
  start_time?: number | undefined
  end_time?: number | undefined
}

const columns = `r.id, r.trade_no, y.out_trade_no, r.appid, p.name as apply_name, r.status, r.kind, r.gas_payer, r.to_address, r.amount,
  r.gas, r.receives, r.total, r.usdt_value, r.reason, r.failure, r.txid, r.out_nonce, r.out_no, r.asset_id, r.send_after, r.created_at, r.updated_at,
  a.symbol as token, a.decimals, h.definition`
const joins = `join assets a on a.id = r.asset_id join chains h on h.id = r.chain_id
  join payments y on y.merchant_id = r.merchant_id and y.trade_no = r.trade_no
  left join applications p on p.merchant_id = r.merchant_id and p.appid = r.appid`

const { page: pageRefunds, byIds } = defineList({
  name: 'refunds',
  table: 'refunds',
  row: 'r',
  joins,
  columns,
  ofGroup: 'r.status = g.a::int and r.asset_id = g.b and r.appid = g.c',
  filters: { status: { counted: 'a' }, token_id: { counted: 'b' }, appid: { counted: 'c' } },
})
const ofPayment = all('refunds-of-payment', 'select id from refunds where merchant_id = $1 and trade_no = $2')

/** Reads one refund of a merchant. */
export const readRefund = async (c: Queryable, merchantId: string, id: string): Promise<RefundRow | undefined> =>
  (await byIds(c, merchantId, [id]))[0]

/** Reads a page of a merchant's refunds, newest first, with the total. A payment has few, so they are paged in memory. */
export async function listRefunds(c: Queryable, merchantId: string, filter: RefundFilter, page: Page) {
  const { status, appid, trade_no, id } = filter
  if (trade_no === undefined && id === undefined) return pageRefunds(c, merchantId, filter, page)
  const ids = id !== undefined ? [id] : (await ofPayment(c, merchantId, trade_no!)).map(each => each.id)
  const rows = (await byIds(c, merchantId, ids)).filter(
    row =>
      (status === undefined || row.status === status) &&
      (appid === undefined || row.appid === appid) &&
      (trade_no === undefined || row.trade_no === trade_no),
  )
  return pageOfAll(rows, page)
}
