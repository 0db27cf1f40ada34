import type { Exception } from '@coffer/core'
import { all, first, type Statements } from '../../../kit/db.ts'

/** Filter on a merchant's payments. The creation time range (unix seconds) is inclusive at both ends. */
export interface PaymentFilter {
  status?: number | undefined
  appid?: string | undefined
  out_trade_no?: string | undefined
  trade_no?: string | undefined
  start_time?: number | undefined
  end_time?: number | undefined
  exception?: Exception | undefined
  /** Start of an order number, or starts of words. */
  text?: string | undefined
  /** In display form. */
  address?: string | undefined
  txid?: string | undefined
  /** `key=value`. */
  metadata?: string | undefined
}

/** A payment in the merchant's records. Its asset and chain are null until the payer chooses an asset. */
export type RecordRow = Statements['payments-by-trade-no']['row']

export interface PaymentPage {
  rows: RecordRow[]
  /** Number of payments that match the filter, from the same snapshot as the rows. */
  total: number
}

export const recordColumns = `p.merchant_id, p.trade_no, p.out_trade_no, p.appid, app.name as apply_name, p.status, p.exception,
  p.usdt_amount, p.fiat_name, p.fiat_amount, p.price, p.address, p.amount, p.paid_amount, p.fees, p.created_at, p.expire_at,
  p.paid_at, a.symbol as token, a.decimals, a.contract, h.definition ->> 'name' as chain, h.kind`

/** What the columns need besides a payment `p`. */
const names = `join applications app on app.merchant_id = p.merchant_id and app.appid = p.appid
  left join assets a on a.id = p.asset_id left join chains h on h.id = a.chain_id`

export const recordTables = `payments p ${names}`

/**
 * The records of a query `page` with a `trade_no`. Each is read by its primary key: without the limit, PostgreSQL may plan to read
 * all payments of an application instead.
 */
export const recordsOfPage = `page cross join lateral (
    select * from payments where merchant_id = $1 and trade_no = page.trade_no limit 1
  ) p ${names}`

/** Reads what only the detail of a payment shows. */
export const readExtras = first(
  'payment-extras',
  'select subject, attach, metadata, tolerance_permille from payments where merchant_id = $1 and trade_no = $2',
)

/** Reads the history of a payment in sequence order. */
export const readHistory = all(
  'payment-history',
  `select status, exception, event, reason, created_at from payment_history
   where merchant_id = $1 and trade_no = $2 order by seq`,
)
