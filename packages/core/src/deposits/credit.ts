import { applyBasisPoints } from '../amounts.ts'
import { availableAccount, houseAccount } from '../ledger/accounts.ts'
import { groupPostings, makePosting, type PostingGroup } from '../ledger/postings.ts'

/** A deposit that has reached confirmation depth. */
export type ConfirmedDeposit = {
  id: string
  merchantId: string
  assetId: string
  /** Base units received. */
  amount: bigint
  kind: 'payment' | 'recharge'
}

/** Returns the platform fee on a deposit in its base units, rounded down. Recharges are free. */
export function depositFee(deposit: ConfirmedDeposit, feeBps: number): bigint {
  return deposit.kind === 'payment' ? applyBasisPoints(deposit.amount, feeBps) : 0n
}

/**
 * Returns the postings that credit a deposit: the full amount to the merchant, then the fee from the merchant to the
 * house.
 */
export function creditDeposit(deposit: ConfirmedDeposit, feeBps: number): PostingGroup {
  const { merchantId, assetId, amount, kind } = deposit
  const mine = availableAccount(merchantId, assetId)
  const fee = depositFee(deposit, feeBps)
  const postings = [makePosting(kind, houseAccount('chain', assetId), mine, amount)]
  if (fee > 0n) postings.push(makePosting('fee', mine, houseAccount('fees', assetId), fee))
  return groupPostings(/* guard: credit-source */ `deposit:${deposit.id}` /* end */, postings)
}
