import { computeRequestedAmount } from '../amounts.ts'
import { defaultAllowanceFactor, type PolicyRule } from '../policies/policy.ts'
import { computeMinWithdrawal, minWithdrawalMicroUsdt, type PricedUnit } from '../withdrawals/terms.ts'

/**
 * The terms by which a merchant works with the platform, named as they are stored and sent. Fees are in hundredths of a
 * percent, limits of withdrawals in whole USDT.
 */
export type MerchantTerms = {
  /** Fee on each payment. */
  fee_bps: number
  /** Fee on each withdrawal. */
  withdraw_fee_bps: number
  /** The largest withdrawal. */
  withdraw_single_max: number
  /** The most that leaves in 24 hours. */
  withdraw_day_max: number
  /** Above what leaves without it, an operator approves; 0: never. */
  withdraw_approval_above: number
}

/** What operators set for one merchant; null: as the installation. */
export type OwnMerchantTerms = { [name in keyof MerchantTerms]: number | null }

/** Returns the terms of a merchant alone, from a row or a request that has more. */
export const pickMerchantTerms = (of: OwnMerchantTerms): OwnMerchantTerms => ({
  fee_bps: of.fee_bps,
  withdraw_fee_bps: of.withdraw_fee_bps,
  withdraw_single_max: of.withdraw_single_max,
  withdraw_day_max: of.withdraw_day_max,
  withdraw_approval_above: of.withdraw_approval_above,
})

/** Returns the terms in force: the merchant's own, and the installation's where it has none. */
export const resolveMerchantTerms = (own: Partial<OwnMerchantTerms>, standard: MerchantTerms): MerchantTerms => ({
  fee_bps: own.fee_bps ?? standard.fee_bps,
  withdraw_fee_bps: own.withdraw_fee_bps ?? standard.withdraw_fee_bps,
  withdraw_single_max: own.withdraw_single_max ?? standard.withdraw_single_max,
  withdraw_day_max: own.withdraw_day_max ?? standard.withdraw_day_max,
  withdraw_approval_above: own.withdraw_approval_above ?? standard.withdraw_approval_above,
})

/** What the fee of a payment depends on: the rate that was applied, null for none or one that is not known. */
type FeePayment = { fee_bps: number | null; paid_amount: bigint; fees: bigint }

/**
 * Returns the rate by which the next deposit of a payment pays its fee: that of its first, whatever the merchant's is
 * by then. One payment has one rate.
 */
export const choosePaymentFeeBps = (payment: Pick<FeePayment, 'fee_bps'>, terms: MerchantTerms): number =>
  payment.fee_bps ?? terms.fee_bps

/**
 * Returns the rate that a payment has once a deposit is credited by `feeBps`. A payment of which earlier deposits were
 * credited by a rate that is not known has none.
 */
export const fixPaymentFeeBps = ({ fee_bps, paid_amount, fees }: FeePayment, feeBps: number): number | null =>
  fee_bps === null && (paid_amount > 0n || fees > 0n) ? null : (fee_bps ?? feeBps)

/**
 * Returns the smallest withdrawal in base units: worth 1 USDT, and more than its fee and gas. Null where the fee takes
 * all.
 */
export function computeMerchantMinWithdrawal(terms: MerchantTerms, gas: bigint, asset: PricedUnit): bigint | null {
  const least = computeMinWithdrawal(terms.withdraw_fee_bps, gas)
  const worthwhile = computeRequestedAmount(minWithdrawalMicroUsdt, asset.decimals, asset.price)
  return least === null || least > worthwhile ? least : worthwhile
}

/** Window of the limit of a day (s). */
const daySeconds = 86_400

const usdtValueOf = (usdt: number) => BigInt(usdt) * 10n ** 18n

/**
 * Returns the rules of the platform for a merchant's withdrawals.
 * @param isRisky an operator approves every withdrawal, whatever its value
 */
export function makePlatformRules(terms: MerchantTerms, { isRisky }: { isRisky: boolean }): PolicyRule[] {
  const above = usdtValueOf(isRisky ? 0 : terms.withdraw_approval_above)
  const rules: PolicyRule[] = [
    { kind: 'single', limit: usdtValueOf(terms.withdraw_single_max) },
    { kind: 'window', per: 'merchant', seconds: daySeconds, limit: usdtValueOf(terms.withdraw_day_max) },
  ]
  if (isRisky || above > 0n)
    rules.push({ kind: 'approval', approver: '', above, aboveInAll: above * defaultAllowanceFactor })
  return rules.map(rule => ({ ...rule, ofPlatform: true }))
}

/**
 * Returns the largest of the limits that new terms raise, in USDT: what may leave by one request, in a day, or without
 * an operator. 0 when they raise none.
 */
export function findLargestRaisedLimit(before: MerchantTerms, after: MerchantTerms): number {
  const was = effectiveLimits(before)
  const is = effectiveLimits(after)
  const raised = (['single', 'day', 'unapproved'] as const).filter(name => is[name] > was[name])
  return Math.max(0, ...raised.map(name => Math.min(is[name], name === 'unapproved' ? is.day : is[name])))
}

const effectiveLimits = (terms: MerchantTerms) => ({
  single: terms.withdraw_single_max,
  day: terms.withdraw_day_max,
  // 0: never.
  unapproved: terms.withdraw_approval_above || Number.POSITIVE_INFINITY,
})
