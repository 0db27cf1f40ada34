import type { ParsedBody } from '@coffer/contract'
import { paymentStatus } from '@coffer/contract/codes.ts'
import { payRoutes } from '@coffer/contract/pay.ts'
import { ZodError, type z } from 'zod'
import type { StoredCallback } from '../../callback-form.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashCode } from '../../kit/secrets.ts'
import { checkNotifyUrl } from '../applications/check-notify-url.ts'
import { createPayment } from '../payments/create-payment.ts'
import type { Order } from '../payments/present-order.ts'
import { readShopPayment, type ShopPayment } from '../payments/shop-order.ts'
import { type Connection, connectionById } from './store.ts'
import type { ShopCaller } from './use-connection.ts'

const schema = payRoutes['POST /api/v1/pay/orders'].body
type Given = z.input<typeof schema>

/** Names in the public API of fields for which a protocol has others. */
type Renamed = Partial<Record<keyof Given, string>>

/**
 * Creates an order of a shop by the rules of the public API. Refusals name the protocol's own fields (`renamed`). The same number
 * again returns the same order, or refuses another content with order_conflict.
 */
export async function createShopPayment(
  deps: Deps,
  { connection, paymentMode, pricing }: ShopCaller,
  given: { order: Given; fields: Record<string, string>; form: string; renamed: Renamed },
): Promise<Order> {
  const { order: wire, fields, form, renamed } = given
  try {
    const order: ParsedBody<'POST /api/v1/pay/orders'> = schema.parse(wire, { reportInput: true })
    await checkNotifyUrl(deps, order.notify_url ?? '')
    const shop = { connection: connection.id, form, events: ['payment.paid'], fields }
    const made = await createPayment(deps, {
      merchantId: connection.merchant_id,
      appid: connection.appid,
      paymentMode,
      pricing,
      order,
      shop,
    })
    return made
  } catch (error) {
    throw named(error, renamed)
  }
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

/** Reads an order of a shop's connection by either number. */
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
export const isReturned = ({ order: { status }, paid }: ShopPayment): boolean =>
  !paid && ([paymentStatus.paid, paymentStatus.refunding, paymentStatus.refunded] as number[]).includes(status)

/** The order of a stored callback as it is now; undefined unless it is paid in full, as clients take any signed callback for that. */
export async function paidOrderOf(
  deps: Deps,
  { merchant_id, body }: Pick<StoredCallback, 'merchant_id' | 'body'>,
): Promise<{ payment: ShopPayment; connection: Connection } | undefined> {
  const { order, shop } = JSON.parse(body) as Pick<ShopPayment, 'order' | 'shop'>
  const connection = await connectionById(deps.pool, shop.connection)
  if (connection?.merchant_id !== merchant_id) return undefined
  const payment = await findShopPayment(deps, { connection }, { tradeNo: order.trade_no })
  return payment?.paid ? { payment, connection } : undefined
}

/**
 * Our URL that leads a payer back to the shop with what its protocol adds. The code keeps others from asking for it, and the host is
 * for the payer to read.
 */
export function returnUrl(deps: Deps, connection: string, number: string, url: string): string {
  const given = { shop: connection, number, code: returnCode(deps, connection, number), host: new URL(url).host }
  return `${deps.config.publicUrl}/shop-return?${new URLSearchParams(given)}`
}

export const returnCode = (deps: Deps, connection: string, number: string): string =>
  hashCode(deps.config.secret, ['shop return', connection, number]).toString('base64url').slice(0, 22)

const metadataMost = 16_000

/** What a shop wants to find again in its callback, as JSON. */
export function metadataText(metadata: object): string {
  const text = JSON.stringify(metadata)
  if (text.length > metadataMost || text.includes('\\u0000'))
    throw new Refusal('metadata_too_large', { field: 'metadata' })
  return text
}
