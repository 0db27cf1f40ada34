import { kinds } from '@coffer/chains'
import { type Data, formatDecimal } from '@coffer/contract'
import { all, first, type Queryable, type Statements } from '../../kit/db.ts'
import type { LockedRate } from '../prices/locked-rates.ts'
import { type DepositRow, depositView, readDeposits } from './deposit-view.ts'

/** A payment in merchant API responses and callbacks. */
export type Order = Data<'GET /api/v1/pay/orders/:trade_no'>

export const paymentColumns = `p.merchant_id, p.trade_no, p.out_trade_no, p.appid, p.status, p.exception, p.usdt_amount, p.fiat_name,
  p.fiat_amount, p.price, p.asset_id, p.address, p.key_index, p.amount, p.paid_amount, p.pending_amount, p.fees, p.subject, p.attach,
  p.metadata, p.tolerance_permille, p.return_url, p.cancel_url, p.auto_redirect, p.created_at, p.expire_at, p.paid_at, a.symbol as token, a.decimals, a.contract, h.definition, h.halted, h.read_at,
  h.last_number, h.last_time, h.head_number`

export const paymentTables = `payments p left join assets a on a.id = p.asset_id left join chains h on h.id = a.chain_id`

const byTradeNos = all(
  'orders-by-trade-no',
  `select ${paymentColumns} from ${paymentTables} where p.trade_no = any($1)`,
)
// No index condition on the application: see create-payment-earlier.
const ofApplication = `select ${paymentColumns} from ${paymentTables} where p.merchant_id = $1 and (p.appid = $2) is true`
const byTradeNo = first('order-of-application-by-trade_no', `${ofApplication} and p.trade_no = $3`)
// Shops' orders have numbers of their own: the application's comes first, then the newest.
const byOutTradeNo = first(
  'order-of-application-by-out_trade_no',
  `${ofApplication} and p.out_trade_no = $3 order by p.shop is not null, p.created_at desc, p.trade_no desc limit 1`,
)
const ofMerchant = first(
  'order-by-trade-no',
  `select ${paymentColumns} from ${paymentTables} where p.merchant_id = $1 and p.trade_no = $2`,
)

/** A payment with its chosen asset and that asset's chain, both null until an asset is chosen. */
type PaymentRow = Statements['order-by-trade-no']['row']

/** Payment columns shown in an order. */
type Shown = Omit<
  PaymentRow,
  | 'pending_amount'
  | 'return_url'
  | 'cancel_url'
  | 'auto_redirect'
  | 'contract'
  | 'halted'
  | 'read_at'
  | 'last_number'
  | 'last_time'
  | 'head_number'
>

/** Formats the locked rate of a currency. */
export const presentRate = (rate: LockedRate | null): Order['rate'] =>
  rate && { price: rate.price, source: rate.source, time: rate.time, spread: rate.spread ?? '0' }

/** Formats a payment as an order. `publicUrl` is the base URL of the checkout. */
export function presentOrder(publicUrl: string, row: Shown, deposits: DepositRow[]): Order {
  const inAsset = (units: bigint) => (row.decimals === null ? '0' : formatDecimal(units, row.decimals))
  return {
    trade_no: row.trade_no,
    out_trade_no: row.out_trade_no,
    appid: row.appid,
    status: row.status,
    exception: row.exception,
    usdt_amount: formatDecimal(row.usdt_amount, 6),
    fiat_name: row.fiat_name,
    fiat_amount: row.fiat_amount,
    rate: presentRate(row.price),
    token: row.token ?? '',
    chain: row.definition?.name ?? '',
    chain_id: row.definition?.id ?? '',
    amount: inAsset(row.amount),
    paid_amount: inAsset(row.paid_amount),
    fees: inAsset(row.fees),
    address: row.definition && row.address ? kinds[row.definition.kind].address.show(row.address) : '',
    address_index: row.key_index,
    subject: row.subject,
    attach: row.attach,
    metadata: row.metadata,
    tolerance_permille: row.tolerance_permille,
    pay_url: `${publicUrl}/pay/${row.trade_no}`,
    created_time: row.created_at,
    expire_time: row.expire_at,
    paid_time: row.paid_at,
    deposits: deposits.map(depositView),
  }
}

/** Reads the deposits of payments and formats the payments as orders, in the given sequence. */
export async function ordersOf(c: Queryable, publicUrl: string, rows: PaymentRow[]): Promise<Order[]> {
  if (rows.length === 0) return []
  const deposits = await readDeposits(c, rows)
  return rows.map(row => presentOrder(publicUrl, row, deposits.get(row.trade_no) ?? []))
}

/** Reads payments of any merchant as orders, by trade_no. */
export async function ordersByTradeNo(
  c: Queryable,
  publicUrl: string,
  tradeNos: string[],
): Promise<Map<string, Order>> {
  if (tradeNos.length === 0) return new Map()
  const rows = await byTradeNos(c, tradeNos)
  const orders = await ordersOf(c, publicUrl, rows)
  return new Map(orders.map(order => [order.trade_no, order]))
}

/** Reads one payment of an application as an order, by trade_no or out_trade_no. */
export async function readOrderOf(
  c: Queryable,
  publicUrl: string,
  of: { merchantId: string; appid: string } & ({ tradeNo: string } | { outTradeNo: string }),
): Promise<Order | undefined> {
  const row =
    'tradeNo' in of
      ? await byTradeNo(c, of.merchantId, of.appid, of.tradeNo)
      : await byOutTradeNo(c, of.merchantId, of.appid, of.outTradeNo)
  return row && (await ordersOf(c, publicUrl, [row]))[0]
}

/** Reads one payment of a merchant as an order. Within a transaction, includes that transaction's own writes. */
export async function readOrder(
  c: Queryable,
  publicUrl: string,
  of: { merchantId: string; tradeNo: string },
): Promise<Order | undefined> {
  const row = await ofMerchant(c, of.merchantId, of.tradeNo)
  return row && (await ordersOf(c, publicUrl, [row]))[0]
}
