import { formatDecimal, parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { truncateDecimal } from '@coffer/contract/kit/truncate-decimal.ts'

/** Decimal places of price calculations. */
const places = 18
const one = 10n ** BigInt(places)

/** Upper bound of plausible prices. */
const priceMax = one * one

/** Parses a price as a fixed-point integer; null when it is not a number, not positive or implausibly high. */
export function parseFixedPoint(text: unknown): bigint | null {
  if (typeof text !== 'string') return null
  const units = /^\d+(?:\.\d+)?$/.test(text) ? parseDecimal(truncateDecimal(text, places), places) : null
  return units !== null && units > 0n && units < priceMax ? units : null
}

/** Formats a fixed-point integer as a decimal string. */
export const formatFixedPoint = (units: bigint) => formatDecimal(units, places)

export const multiplyFixedPoint = (a: bigint, b: bigint) => (a * b) / one
export const divideFixedPoint = (a: bigint, b: bigint) => (a * one) / b

/** Inverts a rate: euros per dollar become dollars per euro. Null for an invalid rate. */
export function invertRate(text: unknown): string | null {
  const units = parseFixedPoint(text)
  return units === null ? null : formatFixedPoint(divideFixedPoint(one, units))
}

/** The change since an opening price, in percent with two decimal places; empty when unknown. */
export function computePercentChange(open: unknown, last: unknown): string {
  const from = parseFixedPoint(open)
  const to = parseFixedPoint(last)
  if (from === null || to === null) return ''
  return truncateDecimal(formatDecimal(((to - from) * 10_000n) / from, 2), 2)
}
