import { parseBasisPoints } from '../kit/basis-points.ts'

/** Terms of a merchant on the wire, in the order in which they are shown. */
export const merchantTermNames = [
  'fee_bps',
  'withdraw_fee_bps',
  'withdraw_single_max',
  'withdraw_day_max',
  'withdraw_approval_above',
] as const
export type MerchantTermName = (typeof merchantTermNames)[number]

/** What an operator set for a merchant; null: as the installation. */
export type MerchantTermValues = Record<MerchantTermName, number | null>

/** Limits of withdrawals are at most this, in USDT. */
export const merchantLimitMax = 1_000_000_000

export const isMerchantTerm = (name: string): name is MerchantTermName =>
  (merchantTermNames as readonly string[]).includes(name)

/** Whether a term is a fee, in hundredths of a percent; others are in whole USDT. */
export const isFeeTerm = (name: MerchantTermName): boolean => name.endsWith('fee_bps')

/**
 * Reads a term as people enter it: a percentage, or USDT as `readWholeNumber` reads them. Returns null for nothing,
 * which is the installation's term, and NaN for what is no number.
 */
export function parseMerchantTerm(
  name: MerchantTermName,
  text: string,
  readWholeNumber: (text: string) => number | null,
): number | null {
  if (text.trim() === '') return null
  return (isFeeTerm(name) ? parseBasisPoints(text) : readWholeNumber(text)) ?? Number.NaN
}

/** Builds a value for each term. */
export const mapMerchantTerms = <T>(value: (name: MerchantTermName) => T): Record<MerchantTermName, T> =>
  Object.fromEntries(merchantTermNames.map(name => [name, value(name)])) as Record<MerchantTermName, T>
