import { computeSurplus } from '../amounts.ts'
import { availableAccount, heldAccount, houseAccount } from '../ledger/accounts.ts'
import { groupPostings, makePosting, type PostingGroup } from '../ledger/postings.ts'
import { settlementSourceOf } from '../withdrawals/terms.ts'

/** What to refund: the amount paid above the request, a part, or all that is left. */
export const refundKinds = ['surplus', 'part', 'all'] as const
export type RefundKind = (typeof refundKinds)[number]
export const gasPayers = ['merchant', 'payer'] as const
export type GasPayer = (typeof gasPayers)[number]

/** Amounts of a payment in base units of its asset. `refunded` includes refunds under way. */
export type RefundableAmounts = { requested: bigint; paid: bigint; refunded: bigint; decimals: number }

/** Returns how much can be given back: never above what was credited. */
export function computeRefundable(
  kind: RefundKind,
  { requested, paid, refunded, decimals }: RefundableAmounts,
): bigint {
  const left = paid - refunded
  const most = kind === 'surplus' ? computeSurplus({ requested, paid: left, decimals }) : left
  return most > 0n ? most : 0n
}

/**
 * Amounts of a refund, in base units. `amount` counts against the payment, `total` leaves the merchant's balance,
 * `receives` arrives.
 */
export type RefundTerms = { amount: bigint; gas: bigint; receives: bigint; total: bigint }

/** Returns the terms of a refund. `receives` is not above zero when the payer's gas takes all of it. */
export const computeRefundTerms = (amount: bigint, gas: bigint, gasPayer: GasPayer): RefundTerms =>
  gasPayer === 'merchant'
    ? { amount, gas, receives: amount, total: amount + gas }
    : { amount, gas, receives: amount - gas, total: amount }

/** A refund as the ledger sees it. */
export type LedgerRefund = RefundTerms & { id: string; merchantId: string; assetId: string }

/** Reserves the total when a refund is requested. */
export const reserveRefund = ({ id, merchantId, assetId, total }: LedgerRefund): PostingGroup =>
  groupPostings(`refund:${id}:reserve`, [
    makePosting('refund', availableAccount(merchantId, assetId), heldAccount(merchantId, assetId), total),
  ])

/**
 * Posts a refund whose transaction is final: what arrived left the chain, the gas is the house's.
 * @param undone how often that was reversed before
 */
export function settleRefund({ id, merchantId, assetId, gas, receives }: LedgerRefund, undone = 0): PostingGroup {
  const mine = heldAccount(merchantId, assetId)
  const postings = [makePosting('refund', mine, houseAccount('chain', assetId), receives)]
  if (gas > 0n) postings.push(makePosting('gas', mine, houseAccount('fees', assetId), gas))
  return groupPostings(settlementSourceOf(`refund:${id}`, undone), postings)
}

/** Returns the total of a refund that was cancelled or voided. */
export const releaseRefund = ({ id, merchantId, assetId, total }: LedgerRefund): PostingGroup =>
  groupPostings(`refund:${id}:release`, [
    makePosting('refund', heldAccount(merchantId, assetId), availableAccount(merchantId, assetId), total),
  ])
