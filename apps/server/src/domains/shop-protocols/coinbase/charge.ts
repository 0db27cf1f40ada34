import { createHmac } from 'node:crypto'
import { formatDecimal, parseDecimal, paymentStatus } from '@coffer/contract'
import { z } from 'zod'
import type { CallbackProtocol } from '../../../callback-form.ts'
import type { Deps } from '../../../deps.ts'
import { newId } from '../../../kit/ids.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { ShopPayment } from '../../payments/shop-order.ts'
import { toDisplayTitle } from '../fields.ts'
import { formatOrderAmount, orderAmountSchema, parseJsonExactly } from '../json-fields.ts'
import { createShopPayment, findPaidOrder, isMoneyReturned, stringifyMetadata } from '../shop-payment.ts'
import { type ShopCaller, unsealSigningKey } from '../use-connection.ts'

/** What is read of a new charge; clients send more. */
export const newChargeSchema = z.object({
  name: z.string().nullish(),
  description: z.string().nullish(),
  pricing_type: z.literal('fixed_price'),
  local_price: z.object({
    amount: orderAmountSchema,
    currency: z.string(),
  }),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  redirect_url: z.string().nullish(),
  cancel_url: z.string().nullish(),
})

/** How long a charge can be paid, as clients expect, in seconds. */
const expiresIn = 3_600

/** Creates a charge. The protocol has no order number: each charge is an order of its own. */
export async function createCharge(
  deps: Deps,
  caller: ShopCaller,
  given: z.output<typeof newChargeSchema>,
): Promise<ShopPayment> {
  const { notify_url } = caller.connection
  if (notify_url === '') throw new Refusal('bad_url', { field: 'webhook' })
  const { name, description, local_price, redirect_url } = given
  const metadata = stringifyMetadata(given.metadata ?? {})
  const currency = local_price.currency.toUpperCase()
  const amount = formatOrderAmount(currency, local_price.amount)
  return createShopPayment(deps, caller, {
    requested: { amount, currency },
    order: {
      out_trade_no: newId(),
      subject: toDisplayTitle(name ?? ''),
      notify_url,
      return_url: redirect_url ?? '',
      cancel_url: given.cancel_url ?? '',
      auto_redirect: Boolean(redirect_url),
      expires_in: expiresIn,
    },
    form: 'coinbase',
    fields: {
      amount,
      currency: local_price.currency,
      name: cutText(name),
      description: cutText(description),
      metadata,
    },
    renamed: {
      amount: 'local_price.amount',
      currency: 'local_price.currency',
      subject: 'name',
      return_url: 'redirect_url',
    },
  })
}

/** A text as it is shown again: its beginning, without what the store cannot hold. */
const cutText = (text: string | null | undefined): string =>
  [...(text ?? '').replaceAll('\0', '')].slice(0, 1_000).join('').toWellFormed()

/** Clients take `COMPLETED` for paid: only what is paid in full has it. */
function statusOf(payment: ShopPayment): string {
  const { status, deposits } = payment.order
  if (payment.paid) return 'COMPLETED'
  if (isMoneyReturned(payment)) return status === paymentStatus.refunding ? 'REFUND PENDING' : 'REFUNDED'
  if (status === paymentStatus.closed) return 'CANCELED'
  if (status === paymentStatus.open) return deposits.length > 0 ? 'PENDING' : 'NEW'
  return status === paymentStatus.in_doubt ? 'PENDING' : 'EXPIRED'
}

const at = (seconds: number) => new Date(seconds * 1_000).toISOString()

/**
 * What a payment was worth in the currency of the charge: clients enter the last one as what was paid. The only payment
 * of a charge that is paid is worth what was requested, in the same text.
 */
function localOf({ order, paid }: ShopPayment, requested: string, given: string): string {
  if (paid && order.deposits.length === 1) return requested
  const whole = parseDecimal(requested, 8)
  const due = parseDecimal(order.amount, 18)
  const part = parseDecimal(given, 18)
  return whole && due && part ? formatDecimal((whole * part) / due, 8) : '0'
}

/** A charge as the API shows it. */
export function presentCharge(payment: ShopPayment) {
  const { order, shop } = payment
  const { amount = '', currency = '', name = '', description = '', metadata = '{}' } = shop.fields
  const status = statusOf(payment)
  const created_at = at(order.created_time)
  const paid_at = status === 'COMPLETED' ? at(order.paid_time) : undefined
  const changed = { time: paid_at ?? at(order.expire_time), status }
  return {
    id: order.trade_no,
    resource: 'charge',
    code: order.trade_no,
    name,
    description,
    hosted_url: order.pay_url,
    created_at,
    expires_at: at(order.expire_time),
    ...(paid_at && { confirmed_at: paid_at }),
    pricing_type: 'fixed_price',
    pricing: { local: { amount, currency } },
    metadata: parseJsonExactly(metadata),
    timeline: [
      { time: created_at, status: 'NEW' },
      ...(status === 'NEW' ? [] : [status === 'PENDING' ? { time: created_at, status } : changed]),
    ],
    payments: order.deposits.map(each => ({
      network: order.chain_id,
      transaction_id: each.txid,
      status: each.state === 'credited' ? 'CONFIRMED' : 'PENDING',
      value: {
        local: { amount: localOf(payment, amount, each.amount), currency },
        crypto: { amount: each.amount, currency: order.token },
      },
    })),
    addresses: {},
  }
}

/** Callbacks of Coinbase Commerce: `charge:confirmed` and no other event, as clients take any signed one for paid. */
export const coinbaseCallbackForm: CallbackProtocol = {
  async request(deps, callback) {
    const found = await findPaidOrder(deps, callback)
    if (!found) return null
    const { payment, connection } = found
    const { id, url } = callback
    const now = at(deps.clock())
    const text = JSON.stringify({
      id,
      scheduled_for: now,
      attempt_number: 1,
      event: {
        id,
        resource: 'event',
        type: 'charge:confirmed',
        api_version: '2018-03-22',
        created_at: now,
        data: presentCharge(payment),
      },
    })
    const signature = createHmac('sha256', unsealSigningKey(deps, connection)).update(text).digest('hex')
    return {
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Coffer-Callback/1',
        'X-Cc-Webhook-Signature': signature,
      },
      body: text,
    }
  },
  confirms: () => true,
}
