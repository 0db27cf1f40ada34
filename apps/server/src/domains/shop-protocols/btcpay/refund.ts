import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { isOutTradeNo } from '@coffer/contract/kit/texts.ts'
import { powerOfTen } from '@coffer/core'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { describeAllowedValues } from '../../../kit/describe-allowed-values.ts'
import { newId } from '../../../kit/ids.ts'
import { createFieldRefusal, Refusal } from '../../../kit/refusal.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { listEnabledAssets } from '../../chains/assets.ts'
import type { ShopPayment } from '../../payments/shop-order.ts'
import {
  findOpenRefundLink,
  readRefundLink,
  type StoredRefundLink,
  serializeRefundLink,
} from '../../refunds/link-store.ts'
import { makeRefundLink } from '../../refunds/make-link.ts'
import { checkPayoutKey, hashBody } from '../../withdrawals/key-routes.ts'
import { toDisplayLine } from '../fields.ts'
import { amountTextSchema } from '../json-fields.ts'
import { findShopOrderAttempts, findShopPayment } from '../shop-payment.ts'
import type { ShopCaller } from '../use-connection.ts'

type Caller = ShopCaller & { from: Visitor }

/** What is read of a refund of an invoice; clients send more. */
export const invoiceRefundSchema = z.object({
  refundVariant: z.enum(['RateThen', 'CurrentRate', 'Fiat', 'OverpaidAmount', 'Custom']),
  subtractPercentage: z.number().min(0).lt(100).nullish(),
  customAmount: amountTextSchema.nullish(),
  customCurrency: z.string().nullish(),
  name: z.string().nullish(),
})

/** What is read of a pull payment. Its name has the number of the order that is refunded. */
export const newPullPaymentSchema = z.object({
  name: z.string().max(1_000),
  amount: amountTextSchema,
  currency: z.string(),
})

const scale = 18
const whole = powerOfTen(scale)
const units = (text: string) => parseDecimal(text, scale) ?? 0n

/**
 * Makes a refund link of an invoice. `RateThen` gives back what was paid, `CurrentRate` and `Fiat` what its price is
 * worth today, `Custom` an amount of the token or of the invoice's currency at the rate of the invoice. The same
 * request again returns the link while it is open.
 */
export async function refundInvoice(
  deps: Deps,
  caller: Caller,
  invoice: ShopPayment,
  given: z.output<typeof invoiceRefundSchema>,
) {
  const { refundVariant, subtractPercentage, customAmount, customCurrency, name } = given
  const reason = name ?? ''
  const percent = units(String(subtractPercentage ?? 0))
  if (refundVariant === 'Custom') {
    if (!customAmount) throw new Refusal('bad_amount', { field: 'customAmount' })
    const amount = { text: customAmount, currency: customCurrency ?? '', field: 'customCurrency' }
    return makeLink(deps, caller, invoice, await partOf(deps, invoice, amount), reason)
  }
  if (percent > 0n && refundVariant !== 'RateThen')
    throw createFieldRefusal('subtractPercentage', 'only with RateThen', '仅适用于 RateThen')
  if (percent > 0n) {
    const amount = await inToken(
      deps,
      invoice,
      (units(invoice.order.paid_amount) * (100n * whole - percent)) / (100n * whole),
    )
    return makeLink(deps, caller, invoice, { kind: 'part', basis: 'token', amount }, reason)
  }
  const kind = refundVariant === 'OverpaidAmount' ? 'surplus' : 'all'
  const basis = refundVariant === 'CurrentRate' || refundVariant === 'Fiat' ? 'fiat' : 'token'
  return makeLink(deps, caller, invoice, { kind, basis }, reason)
}

/** Makes a refund link of the paid order that the name names. */
export async function createPullPayment(deps: Deps, caller: Caller, given: z.output<typeof newPullPaymentSchema>) {
  const { name, amount: text, currency } = given
  const invoice = await namedInvoice(deps, caller, name)
  const part = await partOf(deps, invoice, { text, currency, field: 'currency' })
  return makeLink(deps, caller, invoice, part, name)
}

const numbersMost = 20

/**
 * The only paid invoice of the only order that the name names. Names of several orders, and several paid invoices, are
 * refused.
 */
async function namedInvoice(deps: Deps, caller: Caller, name: string): Promise<ShopPayment> {
  const numbers = numbersInName(name).filter(isOutTradeNo)
  const orders: ShopPayment[][] = []
  for (const number of numbers.slice(0, numbersMost)) {
    const invoices = await findShopOrderAttempts(deps, caller, number)
    if (invoices.length > 0) orders.push(invoices)
  }
  const paid = orders.flat().filter(({ order }) => units(order.paid_amount) > 0n)
  if (numbers.length > numbersMost || orders.length > 1 || paid.length > 1)
    throw createFieldRefusal(
      'name',
      'names several payments; refund one by its invoice',
      '对应多笔付款，请按账单（invoice）退款',
    )
  const [only] = paid
  if (only) return only
  const form = 'Refund of order <number>; <reason>'
  throw createFieldRefusal(
    'name',
    `"${form}", with the number of a paid order of this shop`,
    `"${form}"，须为本店铺已付款的订单号`,
  )
}

/** Reads a refund link of an order of the shop. */
export async function readPullPayment(deps: Deps, caller: Caller, id: string) {
  const row = await readRefundLink(deps.pool, caller.connection.merchant_id, id)
  if (!row || !(await findShopPayment(deps, caller, { tradeNo: row.trade_no }))) throw new Refusal('link_not_valid')
  return present(deps, row, caller)
}

type Part = { kind: 'surplus' | 'part' | 'all'; basis: 'token' | 'fiat'; amount?: string }

/** The part of an invoice that an amount of its token, or of its currency at the rate of the invoice, is. */
async function partOf(
  deps: Deps,
  invoice: ShopPayment,
  { text, currency, field }: { text: string; currency: string; field: string },
): Promise<Part> {
  const { token, amount, fiat_name, fiat_amount } = invoice.order
  const name = currency.toUpperCase()
  if (name === token.toUpperCase()) return { kind: 'part', basis: 'token', amount: text }
  if (name !== fiat_name || units(fiat_amount) === 0n) {
    const choices = [token, ...(fiat_name ? [fiat_name] : [])]
    throw new Refusal('currency_not_exist', { field, detail: describeAllowedValues(field, choices) })
  }
  const share = (units(amount) * units(text)) / units(fiat_amount)
  return { kind: 'part', basis: 'token', amount: await inToken(deps, invoice, share) }
}

/** The text of an amount (10^-18 of the token), rounded down to the token's decimals. */
async function inToken(deps: Deps, { order }: ShopPayment, amount: bigint): Promise<string> {
  const asset = (await listEnabledAssets(deps.pool)).find(
    each => each.chain_id === order.chain_id && each.symbol === order.token,
  )
  if (!asset) throw new Refusal('cannot_refund')
  return formatDecimal(amount / powerOfTen(scale - asset.decimals), asset.decimals)
}

async function makeLink(deps: Deps, caller: Caller, { order }: ShopPayment, part: Part, name: string) {
  const { connection, payouts, mustBeListed, from } = caller
  const { merchant_id: merchantId, appid } = connection
  mustBeListed(from.ip)
  if (!payouts.mayRefund) throw new Refusal('payouts_not_allowed')
  await checkPayoutKey(deps, { merchantId, openedAt: payouts.openedAt })
  const tradeNo = order.trade_no
  const bodyHash = hashBody({ ...part })
  const same = async () => {
    const open = await findOpenRefundLink(deps.pool, merchantId, tradeNo)
    return open?.body_hash?.equals(bodyHash) ? open.id : undefined
  }
  const make = () =>
    makeRefundLink(deps, {
      ...part,
      merchantId,
      tradeNo,
      from,
      // Clients send no number of their own, so that a link is found again by its payment only while it is open.
      byKey: { appid, outNo: `btcpay ${newId()}`, bodyHash },
      gasPayer: 'merchant',
      reason: toDisplayLine(name, 200),
    })
  const id =
    (await same()) ??
    (await make().catch(async error => {
      const meanwhile = await same()
      if (meanwhile) return meanwhile
      throw error
    }))
  return present(deps, (await readRefundLink(deps.pool, merchantId, id))!, caller)
}

/** A refund link as a pull payment. It pays in the token, whatever the refund was requested in. */
function present(deps: Deps, row: StoredRefundLink, { payouts: { mayRefund } }: Caller) {
  const link = serializeRefundLink(deps, row, { mayClaim: mayRefund })
  const { id, state, url, token, amount, reason, created_time, expire_time } = link
  return {
    id,
    name: reason,
    description: '',
    currency: token,
    amount,
    viewLink: url,
    period: null,
    BOLT11Expiration: 30,
    autoApproveClaims: false,
    archived: state !== 'open',
    startsAt: created_time,
    expiresAt: expire_time,
  }
}

/** How WooCommerce's plugin names a refund, today and in older versions. */
const nameForms = [
  { before: 'Refund of order ', after: /;/g },
  { before: 'Refund for order no.: ', after: / reason:/g },
]
/** WooCommerce's plugin cuts a name here, in bytes, which may be inside the number. */
const nameCutAt = 50

/**
 * The order numbers that the name of a refund may mean: the name itself, and what stands between the marks of a
 * plugin's form. A mark that comes more than once, in the number or in the reason, gives several. Words of the name are
 * never taken for a number.
 */
function numbersInName(name: string): string[] {
  const found = [name]
  for (const { before, after } of nameForms) {
    if (!name.startsWith(before)) continue
    const rest = name.slice(before.length)
    const ends = [...rest.matchAll(after)].map(mark => mark.index)
    if (ends.length === 0 && Buffer.byteLength(name) < nameCutAt) ends.push(rest.length)
    found.push(...ends.map(end => rest.slice(0, end)))
  }
  return found
}
