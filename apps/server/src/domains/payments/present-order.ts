import type { RouteData } from '@coffer/contract'
import { order } from '@coffer/contract/payments/payment.ts'
import { all, first, type Queryable, type Statements } from '../../kit/db.ts'
import type { LockedRate } from '../prices/locked-rates.ts'
import { orderColumns } from './columns.ts'
import { presentPayment, selectFields } from './present-payment.ts'
import { type DepositRow, readDeposits, toDepositView } from './to-deposit-view.ts'

/** A payment in merchant API responses and callbacks. */
export type Order = RouteData<'GET /api/v1/pay/orders/:trade_no'>

export const columnsWithAsset = `${orderColumns}, a.symbol as token, a.decimals, h.definition`

export const paymentTables = `payments p left join assets a on a.id = p.asset_id left join chains h on h.id = a.chain_id`

const byTradeNos = all(
  'orders-by-trade-no',
  `select ${columnsWithAsset} from ${paymentTables} where p.trade_no = any($1)`,
)
// No index condition on the application: see create-payment-earlier.
const ofApplication = `select ${columnsWithAsset} from ${paymentTables} where p.merchant_id = $1 and (p.appid = $2) is true`
const byTradeNo = first('order-of-application-by-trade_no', `${ofApplication} and p.trade_no = $3`)
// Shops' orders have numbers of their own: the application's comes first, then the newest.
const byOutTradeNo = first(
  'order-of-application-by-out_trade_no',
  `${ofApplication} and p.out_trade_no = $3 order by p.shop is not null, p.created_at desc, p.trade_no desc limit 1`,
)
const ofMerchant = first(
  'order-by-trade-no',
  `select ${columnsWithAsset} from ${paymentTables} where p.merchant_id = $1 and p.trade_no = $2`,
)

/** A payment with its chosen asset and that asset's chain, both null until an asset is chosen. */
type PaymentRow = Statements['order-by-trade-no']['row']

/** Payment columns shown in an order. */
type Shown = Omit<PaymentRow, 'pending_amount'>

/** Formats the locked rate of a currency. */
export const presentRate = (rate: LockedRate | null): Order['rate'] =>
  rate && { price: rate.price, source: rate.source, time: rate.time, spread: rate.spread ?? '0' }

const selectOrder = selectFields<Order>(order.shape)

/** Formats a payment as an order. `publicUrl` is the base URL of the checkout. */
export function presentOrder(publicUrl: string, row: Shown, deposits: DepositRow[]): Order {
  return selectOrder({
    ...row,
    ...presentPayment(row, row.definition, '0'),
    rate: presentRate(row.price),
    chain_id: row.definition?.id ?? '',
    address_index: row.key_index,
    pay_url: `${publicUrl}/pay/${row.trade_no}`,
    deposits: deposits.map(toDepositView),
  })
}

/** Reads the deposits of payments and formats the payments as orders, in the given sequence. */
export async function presentOrdersOfPayments(c: Queryable, publicUrl: string, rows: PaymentRow[]): Promise<Order[]> {
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
  const orders = await presentOrdersOfPayments(c, publicUrl, rows)
  return new Map(orders.map(order => [order.trade_no, order]))
}

/** Reads one payment of an application as an order, by trade_no or out_trade_no. */
export async function readApplicationOrder(
  c: Queryable,
  publicUrl: string,
  of: { merchantId: string; appid: string } & ({ tradeNo: string } | { outTradeNo: string }),
): Promise<Order | undefined> {
  const row =
    'tradeNo' in of
      ? await byTradeNo(c, of.merchantId, of.appid, of.tradeNo)
      : await byOutTradeNo(c, of.merchantId, of.appid, of.outTradeNo)
  return row && (await presentOrdersOfPayments(c, publicUrl, [row]))[0]
}

/** Reads one payment of a merchant as an order. Within a transaction, includes that transaction's own writes. */
export async function readMerchantOrder(
  c: Queryable,
  publicUrl: string,
  of: { merchantId: string; tradeNo: string },
): Promise<Order | undefined> {
  const row = await ofMerchant(c, of.merchantId, of.tradeNo)
  return row && (await presentOrdersOfPayments(c, publicUrl, [row]))[0]
}
