import { compareDecimals } from '@coffer/contract/kit/decimal.ts'
import { paymentLinkMetadataKey } from '@coffer/contract/payment-links/metadata.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { countCall, throttleIp } from '../../kit/throttle.ts'
import { createPayment } from '../payments/create-payment.ts'
import { computeLinkState, isLinkTaken } from './present.ts'
import { formatLinkOrderNumber, type LinkRow, paymentLinkByToken, takeNextPaymentNumber } from './store.ts'

/** Payments that one network and one link may open: an order costs little, but is stored for ever. */
const perVisitor = { max: 30, seconds: 600 }
const perLink = { max: 1_000, seconds: 3_600 }
/** Payments of a link above its limit that each network may open: whoever uses it up locks out nobody else. */
const afterwards = { max: 3, seconds: 3_600 }

/** How often a payer can lose the race for a link for one payment, whose payment another payer opens meanwhile. */
const races = 3

/**
 * Opens a payment by a link and returns its trade_no. A link for one payment leads everybody to the same one until it
 * ends unpaid: the order number, of which an application has one payment, decides between payers at once and after a
 * crash.
 */
export async function openPaymentByLink(
  deps: Deps,
  { token, amount, ip }: { token: string; amount: string | undefined; ip: string },
): Promise<string> {
  await throttleIp(deps, 'payment link', ip, perVisitor)
  for (let race = 0; race < races; race++) {
    const link = await paymentLinkByToken(deps.pool, token)
    if (!link) throw new Refusal('payment_link_not_exist')
    if (link.once && isLinkTaken(link)) return link.trade_no!
    if (computeLinkState(link, deps.clock()) !== 'open') throw new Refusal('payment_link_closed')
    const requested = amountOf(link, amount)
    const what = `payment link ${link.id}`
    if ((await countCall(deps, what, perLink.seconds)) > perLink.max) await throttleIp(deps, what, ip, afterwards)
    const opened = await createNext(deps, link, requested)
    if (opened !== undefined) return opened
  }
  throw new Refusal('frequent_operation', { retryAfter: 1 })
}

/** Returns undefined when another payer has opened the payment of a link for one. */
async function createNext(deps: Deps, link: LinkRow, amount: string): Promise<string | undefined> {
  const { merchant_id: merchantId, id, once, appid, created_by: collectedBy } = link
  // The number that a crash left without a payment is used.
  const isFree = once && link.payments > 0 && link.trade_no === null
  const next = isFree ? link : await takeNextPaymentNumber(deps.pool, merchantId, id, once ? link.payments : null)
  if (!next) return undefined
  const order = {
    out_trade_no: formatLinkOrderNumber(link, next.payments),
    amount,
    currency: link.currency,
    subject: link.title,
    attach: '',
    metadata: { [paymentLinkMetadataKey]: id },
    return_url: '',
    expires_in: expirySeconds,
  }
  const made = await createPayment(deps, { merchantId, appid, order, collectedBy }).catch(error => {
    // Two payers of an open amount, of whom one was first.
    if (once && error instanceof Refusal && error.reason === 'order_conflict') return undefined
    throw error
  })
  return made?.trade_no
}

const expirySeconds = 3_600

function amountOf({ amount: fixed, min_amount: min, max_amount: max, currency }: LinkRow, given?: string): string {
  if (fixed !== '') return fixed
  if (given === undefined) throw new Refusal('bad_amount', { field: 'amount' })
  const isLess = min !== '' && compareDecimals(given, min) < 0
  if (isLess || (max !== '' && compareDecimals(given, max) > 0)) {
    const [least, most] = [min, max].map(each => each && `${each} ${currency}`)
    throw new Refusal('amount_out_of_range', {
      field: 'amount',
      detail: {
        en: [least && `at least ${least}`, most && `at most ${most}`].filter(Boolean).join(', '),
        'zh-CN': [least && `最低 ${least}`, most && `最高 ${most}`].filter(Boolean).join('，'),
      },
    })
  }
  return given
}
