import type { ChainDefinition } from '@coffer/chains'
import { type Queryable, q } from '../../kit/db.ts'

/** A payment as the merchant's records show it, with what its asset, chain and application are called. */
export interface RecordRow {
  merchant_id: string
  trade_no: string
  out_trade_no: string
  appid: string
  apply_name: string
  status: number
  exception: 'none' | 'partial' | 'over' | 'late'
  usdt_amount: string
  fiat_name: string
  fiat_amount: string
  price: { price: string; source: string; time: number } | null
  address: string | null
  amount: string
  paid_amount: string
  fees: string
  created_at: number
  expire_at: number
  paid_at: number
  /** Null while the payer has not chosen, as are the rest. */
  token: string | null
  decimals: number | null
  contract: string | null
  chain: string | null
  kind: ChainDefinition['kind'] | null
}

export const recordColumns = `p.merchant_id, p.trade_no, p.out_trade_no, p.appid, app.name as apply_name, p.status, p.exception,
  p.usdt_amount, p.fiat_name, p.fiat_amount, p.price, p.address, p.amount, p.paid_amount, p.fees, p.created_at, p.expire_at,
  p.paid_at, a.symbol as token, a.decimals, a.contract, h.definition ->> 'name' as chain, h.kind`

export const recordTables = `payments p join applications app on app.merchant_id = p.merchant_id and app.appid = p.appid
  left join assets a on a.id = p.asset_id left join chains h on h.id = a.chain_id`

export interface HistoryRow {
  status: number
  exception: RecordRow['exception']
  event: string
  created_at: number
}

/** What happened to a payment, in order. */
export const readHistory = (c: Queryable, merchantId: string, tradeNo: string): Promise<HistoryRow[]> =>
  q(
    c,
    'payment-history',
    `select status, exception, event, created_at from payment_history
     where merchant_id = $1 and trade_no = $2 order by seq`,
    [merchantId, tradeNo],
  )
