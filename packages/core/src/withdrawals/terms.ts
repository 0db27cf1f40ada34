import {
  applyBasisPoints,
  computeRequestedAmount,
  parseRate,
  powerOfTen,
  requestedDecimals,
  valueDecimals,
} from '../amounts.ts'
import { availableAccount, heldAccount, houseAccount } from '../ledger/accounts.ts'
import { groupPostings, makePosting, type PostingGroup } from '../ledger/postings.ts'

/** The smallest withdrawal is worth 1 USDT, in micro-USDT. */
export const minWithdrawalMicroUsdt = 1_000_000n

/** The decimals of an asset, and the USDT that one unit of it is worth. */
export type PricedUnit = { decimals: number; price: string }

/**
 * Converts the network fee of a payout from the native coin to the token, rounded up to `requestedDecimals` places.
 * @param cost base units of the native coin
 */
export function convertGasToToken(cost: bigint, native: PricedUnit, token: PricedUnit): bigint {
  const from = parseRate(native.price)
  const to = parseRate(token.price)
  const places = Math.min(token.decimals, requestedDecimals)
  const top = cost * from.units * powerOfTen(to.scale + places)
  const bottom = to.units * powerOfTen(from.scale + native.decimals)
  return ((top + bottom - 1n) / bottom) * powerOfTen(token.decimals - places)
}

/** Returns the largest amount of a token that is worth no more than a value in 10^-18 USDT. */
export function computeAmountForValue(value: bigint, { decimals, price }: PricedUnit): bigint {
  const { units, scale } = parseRate(price)
  return (value * powerOfTen(decimals + scale)) / (units * powerOfTen(valueDecimals))
}

/** Whether an amount is too small to be withdrawn. */
export const isDust = (amount: bigint, { decimals, price }: PricedUnit): boolean =>
  amount < computeRequestedAmount(minWithdrawalMicroUsdt, decimals, price)

/** Amounts of a withdrawal, in base units: `amount` is `fee`, `gas` and `receives` together. */
export type WithdrawalTerms = { amount: bigint; fee: bigint; gas: bigint; receives: bigint }

/** Returns the terms of an amount. `receives` is not above zero when the amount is too small. */
export function computeWithdrawalTerms(amount: bigint, feeBps: number, gas: bigint): WithdrawalTerms {
  const fee = applyBasisPoints(amount, feeBps)
  return { amount, fee, gas, receives: amount - fee - gas }
}

/** Returns the smallest amount of which anything arrives; null with a fee of all. */
export function computeMinWithdrawal(feeBps: number, gas: bigint): bigint | null {
  // The fee is rounded down, so what is left is rounded up: it is above the gas as soon as the exact share is.
  return feeBps >= 10_000 ? null : (gas * 10_000n) / BigInt(10_000 - feeBps) + 1n
}

/** A withdrawal as the ledger sees it. */
export type LedgerWithdrawal = WithdrawalTerms & { id: string; merchantId: string; assetId: string }

/** Reserves the amount when a withdrawal is requested. */
export const reserveWithdrawal = ({ id, merchantId, assetId, amount }: LedgerWithdrawal): PostingGroup =>
  groupPostings(`withdrawal:${id}:reserve`, [
    makePosting('withdrawal', availableAccount(merchantId, assetId), heldAccount(merchantId, assetId), amount),
  ])

/**
 * Posts a withdrawal whose transaction is final: what arrived left the chain, fee and gas are the house's.
 * @param undone how often that was reversed before
 */
export function settleWithdrawal(
  { id, merchantId, assetId, fee, gas, receives }: LedgerWithdrawal,
  undone = 0,
): PostingGroup {
  const mine = heldAccount(merchantId, assetId)
  const fees = houseAccount('fees', assetId)
  const postings = [makePosting('withdrawal', mine, houseAccount('chain', assetId), receives)]
  if (fee > 0n) postings.push(makePosting('fee', mine, fees, fee))
  if (gas > 0n) postings.push(makePosting('gas', mine, fees, gas))
  return groupPostings(settlementSourceOf(`withdrawal:${id}`, undone), postings)
}

/** Source of the postings that settle a payout, which was undone so often before. */
export const settlementSourceOf = (payout: string, undone: number): string =>
  undone === 0 ? `${payout}:settle` : `${payout}:settle:${undone}`

/** Returns the whole amount of a withdrawal that was rejected, cancelled or voided. */
export const releaseWithdrawal = ({ id, merchantId, assetId, amount }: LedgerWithdrawal): PostingGroup =>
  groupPostings(`withdrawal:${id}:release`, [
    makePosting('withdrawal', heldAccount(merchantId, assetId), availableAccount(merchantId, assetId), amount),
  ])
