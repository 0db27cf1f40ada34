import { formatDecimal, parseDecimal, truncateDecimal } from '@coffer/contract/decimal.ts'

/** Digits after the point that prices are calculated with. */
const places = 18
const one = 10n ** BigInt(places)

/** What no price reaches: a source that says more is wrong. */
const tooMuch = one * one

/** Reads a source's number as a fixed-point integer, or null when it is none, not above zero, or beyond all prices. */
export function toFixed(text: unknown): bigint | null {
  if (typeof text !== 'string') return null
  const units = /^\d+(?:\.\d+)?$/.test(text) ? parseDecimal(truncateDecimal(text, places), places) : null
  return units !== null && units > 0n && units < tooMuch ? units : null
}

/** Writes a fixed-point integer back as a decimal string. */
export const fromFixed = (units: bigint) => formatDecimal(units, places)

export const times = (a: bigint, b: bigint) => (a * b) / one
export const dividedBy = (a: bigint, b: bigint) => (a * one) / b

/** A rate the other way round: euros for a dollar become dollars for a euro. Null for what is no rate. */
export function inverse(text: unknown): string | null {
  const units = toFixed(text)
  return units === null ? null : fromFixed(dividedBy(one, units))
}

/** The change from an opening price in percent with two digits, or empty when it cannot be told. */
export function changeSince(open: unknown, last: unknown): string {
  const [from, to] = [toFixed(open), toFixed(last)]
  if (from === null || to === null) return ''
  return truncateDecimal(formatDecimal(((to - from) * 10_000n) / from, 2), 2)
}
