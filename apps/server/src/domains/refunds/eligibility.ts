import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import {
  computeRefundable,
  computeRefundTerms,
  computeRequestedAmount,
  computeRequestedUsdt,
  computeValueInUsdt,
  type GasPayer,
  type RefundKind,
  type RefundTerms,
} from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { toPriceSymbol } from '../../kit/price-symbol.ts'
import { Refusal } from '../../kit/refusal.ts'
import { type Asset, readEnabledAsset } from '../chains/assets.ts'
import type { Merchant } from '../merchants/store.ts'
import type { StoredPayment } from '../payments/store.ts'
import { formatPolicyRefusal, policyRefusals } from '../policies/format-policy-report.ts'
import { evaluatePolicy } from '../policies/policy.ts'
import { quoteInUsdt } from '../prices/locked-rates.ts'
import { findGasRefusal, findPayoutRefusal } from '../withdrawals/eligibility.ts'
import { parseAmount } from '../withdrawals/payout-asset.ts'
import { type PayoutQuote, quotePayout } from '../withdrawals/quote.ts'
import { readAvailableBalance } from '../withdrawals/store.ts'
import { findLimitRefusal, type RefundAllowance } from './refund-limit.ts'
import { readPaymentSenders, readRefundedAmount } from './store.ts'

/** A merchant's request to refund a payment. */
export interface RefundRequest {
  kind: RefundKind
  basis: 'token' | 'fiat'
  gasPayer: GasPayer
  /** Decimal amount in the token, for a part. */
  amount?: string | undefined
}

/**
 * Prices of a refund, read before its transaction. `fiatPrice` is the USDT that one unit of the order's currency is
 * worth.
 */
export interface RefundQuote extends PayoutQuote {
  asset: Asset
  fiatPrice: string | null
}

/** Reads what a refund of a payment needs from outside: the gas of a payout and the current rates. */
export async function quoteRefund(
  deps: Deps,
  payment: StoredPayment,
  assetId: string | null = payment.asset_id,
): Promise<RefundQuote> {
  const asset = assetId === null ? undefined : await readEnabledAsset(deps.pool, assetId)
  if (!asset) throw new Refusal('cannot_refund', { field: 'trade_no' })
  const fiat = payment.fiat_name
  const [quote, rates] = await Promise.all([
    quotePayout(deps, asset),
    fiat ? quoteInUsdt(deps, [toPriceSymbol(fiat)]) : null,
  ])
  return { ...quote, asset, fiatPrice: rates?.[toPriceSymbol(fiat)]?.price ?? null }
}

export interface RefundEligibility {
  terms: RefundTerms
  refunded: bigint
  surplus: bigint
  /** What the order's price is worth in the token today, at most what is left to give back; null without a currency. */
  fiatWorth: bigint | null
  /** In 10^-18 USDT, of what leaves the balance. */
  value: bigint
  senders: string[]
  refusal: Refusal | null
}

/**
 * Checks a refund of a payment to an address (stored form; null while none is given). Within a transaction that has
 * locked the merchant and the payment the result holds until its end. The policy of withdrawals applies, so that
 * refunds cannot bypass it; only who paid counts as a known destination.
 */
export async function checkRefund(
  deps: Deps,
  c: Queryable,
  {
    merchant,
    payment,
    request,
    to,
    quote,
    personId,
    passkeyAt = null,
    fromBalance = true,
    allowance = null,
  }: {
    merchant: Merchant
    payment: StoredPayment
    request: RefundRequest
    to: string | null
    quote: RefundQuote
    /** Who requests it on a page; null for an application with its key. */
    personId: string | null
    /** When a passkey confirmed this refund; null if none did. */
    passkeyAt?: number | null
    /** Whether the balance is charged now; for a link it is when the link is claimed. */
    fromBalance?: boolean
    /** What is left of the limit of who requests it; null without one. */
    allowance?: RefundAllowance | null
  },
): Promise<RefundEligibility> {
  const { asset, rate, fiatPrice } = quote
  const refunded = (await readRefundedAmount(c, payment.merchant_id, payment.trade_no))?.refunded ?? 0n
  const amounts = { requested: payment.amount, paid: payment.paid_amount, refunded, decimals: asset.decimals }
  const most = computeRefundable(request.kind, amounts)
  const fiatWorth =
    fiatPrice === null ? null : least(worth(payment, asset, fiatPrice, rate.price), computeRefundable('all', amounts))
  const amount = amountOf(request, asset, most, fiatWorth)
  const field = 'amount'
  const detail = {
    en: `at most ${formatDecimal(most, asset.decimals)} ${asset.symbol}`,
    'zh-CN': `最多 ${formatDecimal(most, asset.decimals)} ${asset.symbol}`,
  }
  const beyond =
    most === 0n
      ? new Refusal('cannot_refund', { field: 'trade_no' })
      : /* guard: refund-most */ amount > most /* end */
        ? new Refusal('amount_too_large', { field, detail })
        : null
  const eligibility = await checkPayout(deps, c, {
    merchant,
    payment,
    gasPayer: request.gasPayer,
    amount,
    to,
    quote,
    personId,
    passkeyAt,
    fromBalance,
  })
  const overLimit = findLimitRefusal(allowance, eligibility.value)
  const refusal = eligibility.refusal.account ?? beyond ?? overLimit ?? eligibility.refusal.terms
  return { ...eligibility, refunded, surplus: computeRefundable('surplus', amounts), fiatWorth, refusal }
}

/**
 * Checks the payout of a refund, whose amount is in base units of the asset that is paid: account, gas, size, balance,
 * policy.
 */
export async function checkPayout(
  deps: Deps,
  c: Queryable,
  request: {
    merchant: Merchant
    payment: StoredPayment
    gasPayer: GasPayer
    amount: bigint
    to: string | null
    quote: RefundQuote
    /** The member who chose the address on a page; null where nobody did. */
    personId: string | null
    passkeyAt: number | null
    /** Whether the balance is charged now. */
    fromBalance: boolean
  },
) {
  const { merchant, payment, gasPayer, amount, to, quote, personId, passkeyAt, fromBalance } = request
  const { asset, rate, gas } = quote
  const terms = computeRefundTerms(amount, gas, gasPayer)
  const value = computeValueInUsdt(terms.total, asset.decimals, rate.price)
  // Limits count what is given back, not the gas beside it: a limit equal to the price allows a full refund.
  const given = computeValueInUsdt(terms.amount, asset.decimals, rate.price)
  const senders = (await readPaymentSenders(c, payment.merchant_id, payment.trade_no)).map(each => each.from_address)
  const decision = await evaluatePolicy(deps, c, {
    merchant,
    assetId: asset.id,
    chainId: asset.chain_id,
    to,
    value: given,
    personId,
    passkeyAt,
  })
  const isPayer = to !== null && senders.includes(to)
  // Without an address the policy has no destination to evaluate yet.
  const isKnown = to === null || isPayer
  const denied = decision.reports.filter(({ rule, allowed }) => !allowed && !(rule.kind === 'destination' && isKnown))
  // A passkey is requested last: it satisfies only its own rule.
  const isFactor = denied.every(({ rule }) => rule.kind === 'fresh_factor')
  const field = 'amount'
  const account =
    (await findPayoutRefusal(deps, c, { merchant, asset })) ?? (await findGasRefusal(c, { merchant, asset, quote }))
  const balance = (await readAvailableBalance(c, merchant.id, asset.id))?.balance ?? 0n
  const refused =
    amount === 0n || terms.receives <= 0n
      ? new Refusal('amount_too_small', { field })
      : fromBalance && terms.total > balance
        ? shortOf(balance, asset)
        : denied.length > 0
          ? new Refusal(isFactor ? 'passkey_needed' : 'policy_refused', {
              ...(!isFactor && { text: policyRefusals.refund }),
              field,
              detail: formatPolicyRefusal(denied, given),
            })
          : null
  return { terms, value, senders, refusal: { account, terms: refused } }
}

/** The refusal of what the balance does not cover. No rule helps who does not have the amount. */
function shortOf(balance: bigint, asset: Asset): Refusal {
  const has = `${formatDecimal(balance > 0n ? balance : 0n, asset.decimals)} ${asset.symbol}`
  return new Refusal('insufficient_balance', { detail: { en: `${has} available`, 'zh-CN': `可用 ${has}` } })
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)

const onlyPart = { en: 'only for a part, in the token', 'zh-CN': '仅适用于以代币计的部分退款' }

/** The order's price in base units of the token, at the current rates. */
const worth = (payment: StoredPayment, asset: Asset, fiatPrice: string, price: string): bigint =>
  computeRequestedAmount(
    computeRequestedUsdt(parseDecimal(payment.fiat_amount, 18) ?? 0n, 18, fiatPrice),
    asset.decimals,
    price,
  )

function amountOf(
  { kind, basis, amount }: RefundRequest,
  asset: Asset,
  most: bigint,
  fiatWorth: bigint | null,
): bigint {
  // An amount that would be ignored is a mistake: more than intended would be refunded.
  if (amount !== undefined && (kind !== 'part' || basis === 'fiat'))
    throw new Refusal('bad_amount', { field: 'amount', detail: onlyPart })
  if (basis === 'fiat') {
    if (fiatWorth === null) throw new Refusal('price_unavailable', { field: 'basis' })
    return least(fiatWorth, most)
  }
  if (kind !== 'part') return most
  if (amount === undefined) throw new Refusal('bad_amount', { field: 'amount' })
  return parseAmount(asset, amount)
}
