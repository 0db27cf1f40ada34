import { permille } from '../amounts.ts'
import { available, house } from '../ledger/accounts.ts'
import { group, type PostingGroup, posting } from '../ledger/postings.ts'

/** A deposit that is deep enough to be credited. */
export type RipeDeposit = {
  id: string
  merchantId: string
  assetId: string
  /** Base units that arrived. */
  amount: bigint
  kind: 'payment' | 'recharge'
}

/** Our fee on a deposit in its base units, rounded down. Money brought in without a payment costs nothing. */
export function depositFee(deposit: RipeDeposit, feePermille: number): bigint {
  return deposit.kind === 'payment' ? permille(deposit.amount, feePermille) : 0n
}

/** The postings of a credit: what arrived goes to the merchant, and the fee from there to us. */
export function creditDeposit(deposit: RipeDeposit, feePermille: number): PostingGroup {
  const { merchantId, assetId, amount, kind } = deposit
  const mine = available(merchantId, assetId)
  const fee = depositFee(deposit, feePermille)
  const postings = [posting(kind, house('chain', assetId), mine, amount)]
  if (fee > 0n) postings.push(posting('fee', mine, house('fees', assetId), fee))
  return group(/* guard: credit-source */ `deposit:${deposit.id}` /* end */, postings)
}
