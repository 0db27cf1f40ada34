import { all, first, type Queryable, run } from '../../kit/db.ts'
import { isPaidInFullSql } from '../callbacks/paid-in-full.ts'
import { columnsWithAsset, type Order, paymentTables, presentOrdersOfPayments } from './present-order.ts'

/** What a shop's protocol sent with an order, stored beside the payment. */
export interface ShopOrder {
  /** The connection of the shop. */
  connection: string
  /** The form in which its callbacks are sent. */
  form: string
  /** The events that are reported: such shops take any signed callback for the payment. */
  events: readonly string[]
  /** What the callback repeats, as the text received. */
  fields: Record<string, string>
  /**
   * How often an order of this number was opened. An order is opened anew when it ended without any payment; absent for
   * the first.
   */
  attempt?: number
  /** What the shop requested; absent for orders of older versions, whose fields say it. */
  asked?: { amount: string; currency: string }
}

/** A shop's order and what its protocol sent. */
export interface ShopPayment {
  order: Order
  shop: ShopOrder
  /** Whether it is paid in full, and none of that went back or is on its way back. */
  paid: boolean
  /** Whether something that counts is not final yet. */
  confirming: boolean
}

const shopPayment = (
  { shop, paid, pending_amount }: { shop: ShopOrder | null; paid: boolean | null; pending_amount: bigint },
  order: Order | undefined,
): ShopPayment | undefined =>
  shop && order ? { order, shop, paid: paid === true, confirming: pending_amount > 0n } : undefined

/** The body of a shop's callback as it is stored. Its form finds the order by it, and sends what is true by then. */
export const buildShopCallbackBody = (event: string, order: Order, shop: ShopOrder): string =>
  JSON.stringify({ event, order, shop })

const ofShop = `select ${columnsWithAsset}, p.shop, ${isPaidInFullSql} as paid from ${paymentTables}
  where p.merchant_id = $1 and (p.appid = $2) is true and (p.shop ->> 'connection' = $3) is true`
const byTradeNo = first('shop-order-by-trade-no', `${ofShop} and p.trade_no = $4`)
const attempts = all(
  'shop-order-attempts',
  `${ofShop} and p.out_trade_no = $4 order by (p.shop ->> 'attempt')::int desc nulls last limit $5`,
)

/** How many orders of a shop a page may skip: each is read. */
export const skippedOrdersMax = 10_000

const page = all(
  'shop-orders-page',
  `select ${columnsWithAsset}, p.shop, ${isPaidInFullSql} as paid from ${paymentTables}
   where p.shop ->> 'connection' = $3 and (p.merchant_id = $1) is true and (p.appid = $2) is true
     and p.created_at between $4 and $5 and ($8::boolean or (p.shop -> 'fields' ->> 'archived') is distinct from 'yes')
   order by p.created_at desc, p.trade_no desc offset $6 limit $7`,
)

/** Replaces one field that the shop of an order sent. */
export const setShopField = run(
  'shop-order-set-field',
  `update payments set shop = jsonb_set(shop, array['fields', $4::text], to_jsonb($5::text))
   where merchant_id = $1 and trade_no = $2 and (shop ->> 'connection' = $3) is true`,
)

/** Returns which of the orders a shop's connection created. */
export const filterConnectionOrders = all(
  'shop-orders-among',
  `select trade_no from payments
   where merchant_id = $1 and trade_no = any($3::text[]) and (shop ->> 'connection' = $2) is true`,
)

/**
 * Takes what a shop sent with an order that exists: the newest URLs and texts count. Its price and how it is paid stay,
 * and so does what only the older request had.
 */
export const updateRepeatedShopOrder = run(
  'shop-order-repeat',
  `update payments set notify_url = $4, return_url = $5, cancel_url = $6, auto_redirect = $7, subject = $8,
     shop = jsonb_set(shop, '{fields}', (shop -> 'fields') || $9::jsonb)
   where merchant_id = $1 and trade_no = $2 and (shop ->> 'connection' = $3) is true`,
)

/**
 * Reads the orders of a number that a shop's connection created, newest first: all but the first ended without any
 * payment.
 */
export async function readShopOrderAttempts(
  c: Queryable,
  publicUrl: string,
  of: { merchantId: string; appid: string; connection: string; outTradeNo: string },
  limit: number,
): Promise<ShopPayment[]> {
  const rows = await attempts(c, of.merchantId, of.appid, of.connection, of.outTradeNo, limit)
  const orders = await presentOrdersOfPayments(c, publicUrl, rows)
  return rows.flatMap((row, at) => shopPayment(row, orders[at]) ?? [])
}

/**
 * Reads an order that a shop's connection created, by either number; of one that was opened several times, the last.
 */
export async function readShopPayment(
  c: Queryable,
  publicUrl: string,
  of: { merchantId: string; appid: string; connection: string } & ({ tradeNo: string } | { outTradeNo: string }),
): Promise<ShopPayment | undefined> {
  if ('outTradeNo' in of) return (await readShopOrderAttempts(c, publicUrl, of, 1))[0]
  const row = await byTradeNo(c, of.merchantId, of.appid, of.connection, of.tradeNo)
  const [order] = row ? await presentOrdersOfPayments(c, publicUrl, [row]) : []
  return row && shopPayment(row, order)
}

/**
 * Reads orders that a shop's connection created from `since` until `until` (Unix seconds), newest first, with those
 * that it archived unless they are left out.
 */
export async function listShopPayments(
  c: Queryable,
  publicUrl: string,
  of: { merchantId: string; appid: string; connection: string },
  range: { since: number; until: number; offset: number; limit: number; includeArchived?: boolean },
): Promise<ShopPayment[]> {
  const { since, until, offset, limit, includeArchived = true } = range
  const rows = await page(c, of.merchantId, of.appid, of.connection, since, until, offset, limit, includeArchived)
  const orders = await presentOrdersOfPayments(c, publicUrl, rows)
  return rows.flatMap((row, at) => shopPayment(row, orders[at]) ?? [])
}
