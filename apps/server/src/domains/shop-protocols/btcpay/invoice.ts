import { createHmac } from 'node:crypto'
import { formatDecimal, parseDecimal, paymentStatus } from '@coffer/contract'
import { limits } from '@coffer/contract/kit/limits.ts'
import { isUrl } from '@coffer/contract/kit/validators.ts'
import { z } from 'zod'
import type { CallbackProtocol } from '../../../callback-form.ts'
import type { Deps } from '../../../deps.ts'
import { newId } from '../../../kit/ids.ts'
import { createFieldRefusal, Refusal } from '../../../kit/refusal.ts'
import { type Asset, listEnabledAssets } from '../../chains/assets.ts'
import { closePayment } from '../../payments/close-payment.ts'
import { type ShopPayment, setShopField } from '../../payments/shop-order.ts'
import { formatOrderAmount, orderAmountSchema, parseJsonExactly, readExactDigits } from '../json-fields.ts'
import { createShopPayment, findPaidOrder, isMoneyReturned, returnUrl, stringifyMetadata } from '../shop-payment.ts'
import { connectionById } from '../store.ts'
import { type ShopCaller, unsealWebhookSecret } from '../use-connection.ts'

/** What is read of a new invoice; clients send more. */
export const newInvoiceSchema = z.object({
  amount: orderAmountSchema,
  currency: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  checkout: z
    .object({
      redirectURL: z.string().max(500).nullish(),
      redirectAutomatically: z.boolean().nullish(),
      expirationMinutes: z.number().int().nullish(),
      paymentMethods: z.array(z.string()).max(50).nullish(),
    })
    .nullish(),
})

const ended: readonly number[] = [paymentStatus.timed_out, paymentStatus.closed]

/** Creates an invoice. One of the same order number is returned unless it ended without any payment. */
export async function createInvoice(
  deps: Deps,
  caller: ShopCaller,
  given: z.output<typeof newInvoiceSchema>,
): Promise<ShopPayment> {
  const { connection } = caller
  const metadata = stringifyMetadata(given.metadata ?? {})
  const orderId = orderIdIn(given.metadata ?? {}) || newId()
  if (connection.notify_url === '') throw new Refusal('bad_url', { field: 'webhook' })
  const { redirectURL, redirectAutomatically, expirationMinutes, paymentMethods } = given.checkout ?? {}
  const { paymentTtlSecondsMin: least, paymentTtlSecondsMax: most, paymentTtlSecondsDefault: usual } = limits
  const currency = (given.currency || connection.currency).toUpperCase()
  const requested = { amount: formatOrderAmount(currency, given.amount), currency }
  return createShopPayment(deps, caller, {
    requested,
    price: async () => ({ ...requested, ...(await chosenMethod(deps, paymentMethods ?? [])) }),
    order: {
      out_trade_no: orderId,
      notify_url: connection.notify_url,
      return_url: returnTo(deps, connection.id, orderId, redirectURL ?? ''),
      auto_redirect: Boolean(redirectURL && redirectAutomatically !== false),
      expires_in: expirationMinutes ? Math.min(Math.max(expirationMinutes * 60, least), most) : usual,
    },
    form: 'btcpay',
    fields: {
      amount: requested.amount,
      currency: given.currency || connection.currency,
      metadata,
      // An order that is sent again is in use.
      archived: '',
      return_url: redirectURL ?? '',
      checkout: JSON.stringify(given.checkout ?? {}),
    },
    renamed: {
      out_trade_no: 'metadata.orderId',
      return_url: 'checkout.redirectURL',
      expires_in: 'checkout.expirationMinutes',
    },
  })
}

/** The order number in the metadata of an invoice; '' without one. */
function orderIdIn({ orderId }: { orderId?: unknown }): string {
  if (orderId === undefined || orderId === null) return ''
  if (typeof orderId === 'number') return String(orderId)
  const digits = readExactDigits(orderId)
  if (digits !== undefined) return digits
  if (typeof orderId !== 'string' || !orderId.isWellFormed() || orderId.includes('\0'))
    throw createFieldRefusal('metadata.orderId', 'a text or a number', '须为文本或数字')
  return orderId
}

const placeholder = /(?:\{|%7B)(InvoiceId|OrderId)(?:\}|%7D)/gi

/** The redirectURL, or where it names the invoice, our URL that leads there with its id. */
function returnTo(deps: Deps, connection: string, number: string, url: string): string {
  if (url.search(placeholder) < 0) return url
  if (!isUrl(url)) throw new Refusal('bad_url', { field: 'checkout.redirectURL' })
  return returnUrl(deps, connection, number, url)
}

/** The redirectURL with the ids of the invoice. */
export function buildInvoiceRedirectUrl({ order, shop }: ShopPayment): string {
  const metadata = parseJsonExactly(shop.fields.metadata ?? '{}') as { orderId?: unknown }
  const ids: Record<string, string> = { invoiceid: order.trade_no, orderid: orderIdIn(metadata) }
  return (shop.fields.return_url ?? '').replace(placeholder, (_, name: string) =>
    encodeURIComponent(ids[name.toLowerCase()]!),
  )
}

/**
 * The token of the only method that a shop allows. Where it allows several or none that exists, the payer chooses among
 * all.
 */
async function chosenMethod(deps: Deps, methods: string[]): Promise<{ chain?: string; token?: string }> {
  if (methods.length !== 1) return {}
  const given = methods[0]!.replaceAll('_', '-').toLowerCase()
  const asset = (await listEnabledAssets(deps.pool)).find(
    each => methodId(each.symbol, each.chain_id).toLowerCase() === given,
  )
  return asset ? { chain: asset.chain_id, token: asset.symbol } : {}
}

/** What is read of a change of an invoice. */
export const invoiceChangeSchema = z.object({ metadata: z.record(z.string(), z.unknown()) })

/** Replaces the metadata of an invoice. Its order number stays the one that it was created with. */
export async function changeMetadata(
  deps: Deps,
  { connection }: ShopCaller,
  { order, shop }: ShopPayment,
  given: z.output<typeof invoiceChangeSchema>,
): Promise<void> {
  const { orderId } = parseJsonExactly(shop.fields.metadata ?? '{}') as { orderId?: unknown }
  orderIdIn(given.metadata)
  const metadata = stringifyMetadata({ ...given.metadata, ...(orderId !== undefined && { orderId }) })
  await setShopField(deps.pool, connection.merchant_id, order.trade_no, connection.id, 'metadata', metadata)
}

/** Whether a shop archived an invoice, which its lists leave out. Its payment goes on. */
export const isArchived = ({ shop }: ShopPayment): boolean => shop.fields.archived === 'yes'

/** Archives an invoice, or takes it out of the archive. */
export async function archiveInvoice(
  deps: Deps,
  { connection }: ShopCaller,
  invoice: ShopPayment,
  archived: boolean,
): Promise<void> {
  if (!archived && !isArchived(invoice))
    throw new Refusal('operation_failed', {
      detail: { en: 'the invoice is not archived', 'zh-CN': '该账单未归档' },
      data: { code: 'already-unarchived' },
    })
  const { trade_no } = invoice.order
  await setShopField(deps.pool, connection.merchant_id, trade_no, connection.id, 'archived', archived ? 'yes' : '')
}

/** The status by which a shop marks an invoice. */
export const invoiceStatusSchema = z.object({ status: z.string() })

/**
 * Marks an invoice by the shop: `Invalid` closes an order that has received nothing. Marking one as settled needs a
 * code, so only the back-office does it.
 */
export async function markInvoice(deps: Deps, { order, shop }: ShopPayment, status: string): Promise<void> {
  if (status !== 'Invalid')
    throw new Refusal('parameter_error', {
      field: 'status',
      detail: {
        en: 'status: only Invalid; settled in the back-office',
        'zh-CN': 'status：仅支持 Invalid；标记为已支付请在商户后台操作',
      },
    })
  const connection = (await connectionById(deps.pool, shop.connection))!
  await closePayment(deps, { merchantId: connection.merchant_id, appid: order.appid, tradeNo: order.trade_no })
}

/**
 * Clients take `Settled`, and whatever is `PaidLate`, for paid: only what is paid in full is the first, and nothing the
 * second. What was paid and went back is `Invalid`, as if the merchant had marked it. What does not count, such as a
 * bridged token, is not being processed.
 */
function statusOf(payment: ShopPayment): { status: string; additionalStatus: string } {
  const { order, paid, confirming } = payment
  const { exception, status } = order
  const marked = exception.startsWith('marked_')
  if (paid)
    return { status: 'Settled', additionalStatus: marked ? 'Marked' : exception === 'over' ? 'PaidOver' : 'None' }
  const additionalStatus = marked ? 'Marked' : exception === 'partial' ? 'PaidPartial' : 'None'
  if (status === paymentStatus.closed || isMoneyReturned(payment))
    return { status: 'Invalid', additionalStatus: 'Marked' }
  if (exception === 'marked_invalid') return { status: 'Invalid', additionalStatus }
  if (status === paymentStatus.in_doubt) return { status: 'Processing', additionalStatus }
  if (ended.includes(status)) return { status: 'Expired', additionalStatus }
  return { status: confirming ? 'Processing' : 'New', additionalStatus }
}

/** An invoice as the API shows it. */
export function presentInvoice(payment: ShopPayment) {
  const { order, shop } = payment
  const { amount = '', currency = '', metadata = '{}', checkout = '{}' } = shop.fields
  const given = JSON.parse(checkout) as NonNullable<z.output<typeof newInvoiceSchema>['checkout']>
  return {
    id: order.trade_no,
    storeId: shop.connection,
    amount,
    currency,
    type: 'Standard',
    checkoutLink: order.pay_url,
    createdTime: order.created_time,
    expirationTime: order.expire_time,
    monitoringExpiration: order.expire_time,
    archived: isArchived(payment),
    availableStatusesForManualMarking: [],
    ...statusOf(payment),
    metadata: parseJsonExactly(metadata),
    checkout: { redirectURL: null, ...given, paymentMethods: given.paymentMethods ?? [] },
  }
}

/** The payment methods of a store: the tokens that can be paid now. */
export const presentStoreMethods = (assets: readonly Pick<Asset, 'symbol' | 'chain_id' | 'halted' | 'started'>[]) =>
  assets
    .filter(({ halted, started }) => !halted && started)
    .map(each => ({ enabled: true, paymentMethodId: methodId(each.symbol, each.chain_id), config: null }))

const methodId = (symbol: string, chain: string) => `${symbol}-${chain}`

/** The chosen token with what was paid in it; none before the payer has chosen. */
export function presentMethods({ order }: ShopPayment) {
  if (order.token === '') return []
  const requested = parseDecimal(order.amount, 18) ?? 0n
  const paid = parseDecimal(order.paid_amount, 18) ?? 0n
  const id = methodId(order.token, order.chain_id)
  return [
    {
      paymentMethodId: id,
      paymentMethod: id,
      currency: order.token,
      cryptoCode: order.token,
      destination: order.address,
      paymentLink: null,
      rate: order.rate?.price ?? '1',
      amount: order.amount,
      totalPaid: order.paid_amount,
      paymentMethodPaid: order.paid_amount,
      due: formatDecimal(requested > paid ? requested - paid : 0n, 18),
      networkFee: '0',
      activated: true,
      payments: order.deposits.map(each => ({
        id: each.txid,
        receivedDate: each.seen_time,
        value: each.amount,
        fee: '0',
        status: { credited: 'Settled', seen: 'Processing' }[each.state as string] ?? 'Invalid',
        destination: order.address,
      })),
    },
  ]
}

/** Callbacks of BTCPay: `InvoiceSettled` and no other event, as clients take any signed one for paid. */
export const btcpayCallbackForm: CallbackProtocol = {
  async request(deps, callback) {
    const found = await findPaidOrder(deps, callback)
    if (!found) return null
    const { payment, connection } = found
    const { id, url } = callback
    const { additionalStatus, metadata } = presentInvoice(payment)
    const text = JSON.stringify({
      deliveryId: id,
      webhookId: connection.id,
      originalDeliveryId: id,
      isRedelivery: false,
      type: 'InvoiceSettled',
      timestamp: deps.clock(),
      storeId: connection.id,
      invoiceId: payment.order.trade_no,
      metadata,
      manuallyMarked: additionalStatus === 'Marked',
      overPaid: additionalStatus === 'PaidOver',
    })
    const signature = createHmac('sha256', unsealWebhookSecret(deps, connection)).update(text).digest('hex')
    return {
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Coffer-Callback/1',
        'Btcpay-Sig': `sha256=${signature}`,
      },
      body: text,
    }
  },
  confirms: () => true,
}
