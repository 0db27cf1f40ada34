import { countedList } from '../../kit/counted-list.ts'
import { all, type Queryable, type Statements, variants } from '../../kit/db.ts'
import type { Page } from '../../kit/list.ts'

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
const tables = `refunds r join assets a on a.id = r.asset_id join chains h on h.id = r.chain_id
  join payments y on y.merchant_id = r.merchant_id and y.trade_no = r.trade_no
  left join applications p on p.merchant_id = r.merchant_id and p.appid = r.appid`

const counted = countedList({
  name: 'refunds',
  table: 'refunds',
  ofGroup: 'r.status = g.a::int and r.asset_id = g.b and r.appid = g.c',
  filters: { status: value => `a = ${value}`, token_id: value => `b = ${value}`, appid: value => `c = ${value}` },
})
const pageIds = variants('refunds-page', counted.textOf, counted.described)
const byIds = all(
  'refunds-list',
  `select ${columns} from ${tables} where r.merchant_id = $1 and r.id = any($2) order by r.created_at desc, r.id desc`,
)
const ofPayment = all('refunds-of-payment', 'select id from refunds where merchant_id = $1 and trade_no = $2')

/** Reads one refund of a merchant. */
export const readRefund = async (c: Queryable, merchantId: string, id: string): Promise<RefundRow | undefined> =>
  (await byIds(c, merchantId, [id]))[0]

/** Reads a page of a merchant's refunds, newest first, with the total. A payment has few, so they are paged in memory. */
export async function listRefunds(c: Queryable, merchantId: string, filter: RefundFilter, page: Page) {
  const { status, token_id, appid, trade_no, id } = filter
  if (trade_no !== undefined || id !== undefined) {
    const ids = id !== undefined ? [id] : (await ofPayment(c, merchantId, trade_no!)).map(each => each.id)
    const rows = (await byIds(c, merchantId, ids)).filter(
      row =>
        (status === undefined || row.status === status) &&
        (appid === undefined || row.appid === appid) &&
        (trade_no === undefined || row.trade_no === trade_no),
    )
    return { total: rows.length, rows: rows.slice(page.offset, page.offset + page.limit) }
  }
  const { kind, values } = counted.request(merchantId, { status: status?.toString(), token_id, appid }, filter, page)
  const [found] = await pageIds(c, kind, ...values)
  return { total: found!.total, rows: await byIds(c, merchantId, found!.ids.slice(0, page.limit)) }
}
