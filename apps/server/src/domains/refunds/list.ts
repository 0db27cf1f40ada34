import type { Queryable, Statements } from '../../kit/db.ts'
import { defineExportedList } from '../../kit/define-list.ts'
import { buildPaymentTitleSql } from '../../kit/format-payment-name.ts'

export type RefundRow = Statements['refunds-list']['row']

const columns = `r.id, r.trade_no, y.out_trade_no, ${buildPaymentTitleSql('y')} as title, y.fiat_name, y.fiat_amount, r.appid, p.name as apply_name, r.status, r.kind, r.gas_payer, r.to_address, r.amount,
  r.gas, r.receives, r.total, r.usdt_value, r.reason, r.failure, r.txid, r.out_nonce, r.out_no, r.warnings, r.asset_id, r.send_after, r.created_at, r.updated_at,
  a.symbol as token, a.decimals, h.definition`
const joins = `join assets a on a.id = r.asset_id join chains h on h.id = r.chain_id
  join payments y on y.merchant_id = r.merchant_id and y.trade_no = r.trade_no
  left join applications p on p.merchant_id = r.merchant_id and p.appid = r.appid`

/** Selects the platform's number of the orders of a merchant ($1) that have a number, theirs or the platform's. */
export const tradeNosByNumberSql = (number: string): string =>
  `select ${number}::text union select trade_no from payments where merchant_id = $1 and out_trade_no = ${number}`

const { page, byIds, file } = defineExportedList({
  name: 'refunds',
  of: 'GET /api/v1/transactions/refund-list',
  table: 'refunds',
  row: 'r',
  joins,
  columns,
  counted: { ofGroup: 'r.status = g.a::int and r.asset_id = g.b and r.appid = g.c' },
  filters: {
    status: { counted: 'a', column: 'r.status' },
    token_id: { counted: 'b', column: 'r.asset_id' },
    appid: { counted: 'c', column: 'r.appid' },
    trade_no: { column: 'r.trade_no' },
    order: {
      keys: number => `select id from refunds where merchant_id = $1 and trade_no in (${tradeNosByNumberSql(number)})`,
    },
    id: { column: 'r.id' },
  },
})

export { file as refundFile, page as listRefunds }

/** Reads one refund of a merchant. */
export const readRefund = async (c: Queryable, merchantId: string, id: string): Promise<RefundRow | undefined> =>
  (await byIds(c, merchantId, [id]))[0]
