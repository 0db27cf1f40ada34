import type { ParsedBody } from '@coffer/contract'
import { paymentStatus } from '@coffer/contract/codes.ts'
import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { payRoutes } from '@coffer/contract/payments/key-routes.ts'
import { ZodError, type z } from 'zod'
import type { StoredCallback } from '../../callback-form.ts'
import type { Deps } from '../../deps.ts'
import { createFieldRefusal, Refusal } from '../../kit/refusal.ts'
import { hashCode } from '../../kit/secrets.ts'
import { checkNotifyUrl } from '../../outside/check-notify-url.ts'
import { createPayment } from '../payments/create-payment.ts'
import {
  readShopOrderAttempts,
  readShopPayment,
  type ShopPayment,
  updateRepeatedShopOrder,
} from '../payments/shop-order.ts'
import { connectionById, type ShopConnection } from './store.ts'
import type { ShopCaller } from './use-connection.ts'

const schema = payRoutes['POST /api/v1/pay/orders'].body
type Given = z.input<typeof schema>

/** Names in the public API of fields for which a protocol has others. */
type Renamed = Partial<Record<keyof Given, string>>

/** An order as a protocol describes it. */
interface ShopOrder {
  /** What was requested, in the shop's words, by which its order is known again. */
  requested: { amount: string; currency: string }
  /** The order by the rules of the public API, without its price. */
  order: Omit<Given, 'amount' | 'currency' | 'chain' | 'token'>
  /** The price of a new order, and what it is paid in where that is fixed. */
  price?: () => Promise<Pick<Given, 'amount' | 'currency' | 'chain' | 'token'>>
  fields: Record<string, string>
  form: string
  renamed: Renamed
}

/**
 * Creates an order of a shop by the rules of the public API. Refusals name the protocol's own fields (`renamed`). The
 * same number with the same amount and currency is the same order, whatever else differs: the newest URLs and texts
 * count, and another price is refused with order_conflict. One that ended without any payment is opened anew, at
 * today's rate.
 */
export async function createShopPayment(deps: Deps, caller: ShopCaller, given: ShopOrder): Promise<ShopPayment> {
  const { connection, paymentMode, pricing } = caller
  const { requested, fields, form, renamed } = given
  const { price = async () => requested } = given
  const parse = (more: Pick<Given, 'amount' | 'currency'>) =>
    schema.parse({ ...given.order, ...more }, { reportInput: true })
  try {
    const parsed = parse(requested)
    await checkNotifyUrl(deps, parsed.notify_url ?? '')
    const last = await findShopPayment(deps, caller, { outTradeNo: parsed.out_trade_no })
    if (last && !endedUnpaid(last)) return await repeat(deps, caller, { ...given, found: last, parsed })
    const shop = { connection: connection.id, form, events: ['payment.paid'], fields, asked: requested }
    const attempt = last && (last.shop.attempt ?? 1) + 1
    const made = await createPayment(deps, {
      merchantId: connection.merchant_id,
      appid: connection.appid,
      paymentMode,
      pricing,
      order: parse(await price()),
      shop: attempt ? { ...shop, attempt } : shop,
    })
    const found = (await findShopPayment(deps, caller, { tradeNo: made.trade_no }))!
    // Another request may have been faster.
    return await repeat(deps, caller, { ...given, found, parsed })
  } catch (error) {
    throw named(error, renamed)
  }
}

/** Whether an order ended and nothing came for it, not even late. */
const endedUnpaid = ({ order }: ShopPayment): boolean =>
  ([paymentStatus.timed_out, paymentStatus.closed] as number[]).includes(order.status) &&
  order.paid_time === 0 &&
  order.deposits.length === 0

/** What a shop requested. */
function requestedOf({ order, shop: { asked: requested, fields } }: ShopPayment): { amount: string; currency: string } {
  const { money, amount = money ?? '', currency } = fields
  return requested ?? { amount, currency: (currency || order.fiat_name || 'USDT').toUpperCase() }
}

/** Returns an order that exists, with what the shop sent last. Throws order_conflict for another price. */
async function repeat(
  deps: Deps,
  caller: ShopCaller,
  {
    requested,
    fields,
    found,
    parsed,
  }: ShopOrder & { found: ShopPayment; parsed: ParsedBody<'POST /api/v1/pay/orders'> },
): Promise<ShopPayment> {
  const { amount, currency } = requestedOf(found)
  if (currency !== requested.currency || parseDecimal(amount, 18) !== parseDecimal(requested.amount, 18))
    throw new Refusal('order_conflict', { field: 'out_trade_no' })
  const { merchant_id, id } = caller.connection
  const tradeNo = found.order.trade_no
  const { notify_url = '', return_url, cancel_url = '', auto_redirect = false, subject } = parsed
  const texts = [notify_url, return_url, cancel_url, auto_redirect, subject] as const
  await updateRepeatedShopOrder(deps.pool, merchant_id, tradeNo, id, ...texts, JSON.stringify(fields))
  return (await findShopPayment(deps, caller, { tradeNo }))!
}

/** The same error about the protocol's field. */
function named(error: unknown, renamed: Renamed): unknown {
  const nameOf = (field: unknown) => renamed[field as keyof Given] ?? String(field)
  if (error instanceof ZodError)
    return new ZodError(
      error.issues.map(issue => ({ ...issue, path: issue.path.map((part, at) => (at === 0 ? nameOf(part) : part)) })),
    )
  if (!(error instanceof Refusal) || error.field === undefined) return error
  const { reason, field, detail, retryAfter, data } = error
  const about = (text: string) => text.replace(field, nameOf(field))
  return new Refusal(reason, {
    field: nameOf(field),
    ...(detail && { detail: { en: about(detail.en), 'zh-CN': about(detail['zh-CN']) } }),
    ...(retryAfter !== undefined && { retryAfter }),
    data,
  })
}

/** The most orders of one number that are read. */
const attemptsMost = 20

/** Reads the orders of a number of a shop's connection, newest first. */
export const findShopOrderAttempts = (
  deps: Deps,
  { connection }: Pick<ShopCaller, 'connection'>,
  outTradeNo: string,
): Promise<ShopPayment[]> => {
  const { merchant_id: merchantId, appid, id } = connection
  return readShopOrderAttempts(
    deps.pool,
    deps.config.publicUrl,
    { merchantId, appid, connection: id, outTradeNo },
    attemptsMost,
  )
}

/** Reads an order of a shop's connection by either number; of one that was opened several times, the last. */
export const findShopPayment = (
  deps: Deps,
  { connection }: Pick<ShopCaller, 'connection'>,
  number: { tradeNo: string } | { outTradeNo: string },
): Promise<ShopPayment | undefined> =>
  readShopPayment(deps.pool, deps.config.publicUrl, {
    merchantId: connection.merchant_id,
    appid: connection.appid,
    connection: connection.id,
    ...number,
  })

/** Whether an order was paid, and its money went back or is on its way back. */
export const isMoneyReturned = ({ order: { status }, paid }: ShopPayment): boolean =>
  !paid && ([paymentStatus.paid, paymentStatus.refunding, paymentStatus.refunded] as number[]).includes(status)

/**
 * The order of a stored callback as it is now; undefined unless it is paid in full, as clients take any signed callback
 * for that.
 */
export async function findPaidOrder(
  deps: Deps,
  { merchant_id, body }: Pick<StoredCallback, 'merchant_id' | 'body'>,
): Promise<{ payment: ShopPayment; connection: ShopConnection } | undefined> {
  const { order, shop } = JSON.parse(body) as Pick<ShopPayment, 'order' | 'shop'>
  const connection = await connectionById(deps.pool, shop.connection)
  if (connection?.merchant_id !== merchant_id) return undefined
  const payment = await findShopPayment(deps, { connection }, { tradeNo: order.trade_no })
  return payment?.paid ? { payment, connection } : undefined
}

/**
 * Our URL that leads a payer back to the shop with what its protocol adds. The code keeps others from asking for it,
 * and the host is for the payer to read.
 */
export function returnUrl(deps: Deps, connection: string, number: string, url: string): string {
  const given = {
    shop: connection,
    number,
    code: computeShopReturnCode(deps, connection, number),
    host: new URL(url).host,
  }
  return `${deps.config.publicUrl}/shop-return?${new URLSearchParams(given)}`
}

export const computeShopReturnCode = (deps: Deps, connection: string, number: string): string =>
  hashCode(deps.config.secret, ['shop return', connection, number]).toString('base64url').slice(0, 22)

const metadataMost = 16_000

/**
 * What JSON writes for a NUL and for half of a character; behind an odd backslash, it is a text that only looks like
 * one.
 */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** What a shop wants to find again in its callback, as JSON. */
export function stringifyMetadata(metadata: object): string {
  const text = JSON.stringify(metadata)
  if (text.length > metadataMost) throw new Refusal('metadata_too_large', { field: 'metadata' })
  if (unstorable.test(text))
    throw createFieldRefusal(
      'metadata',
      'text without NUL (U+0000) or unpaired surrogates',
      '文本不能含有空字符（U+0000）或不成对的代理项',
    )
  return text
}
