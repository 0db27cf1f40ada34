import { formatFixedPoint, parseFixedPoint } from './rates.ts'

/** The price of a token or fiat currency in US dollars, as a decimal string, with its sources and time. */
export interface PriceQuote {
  price: string
  /** Names of the sources, separated by commas. */
  source: string
  /** Time of the oldest source price, in Unix seconds. */
  time: number
}

/** Maximum age of a price (s). */
export const maxPriceAgeSeconds = 300
/** Maximum spread between sources, in percent of the lowest price. */
export const maxPriceSpreadPercent = 2n
/** Minimum number of sources. */
export const minPriceSources = 2

/**
 * The median of the sources' prices. Null when fewer than two are at most five minutes old, or when those are more than
 * two percent apart.
 */
export function medianPrice(
  rows: readonly { source: string; price: string; at: number }[],
  now: number,
): PriceQuote | null {
  const fresh = rows
    // guard: fresh-price
    .filter(row => row.at >= now - maxPriceAgeSeconds)
    .filter(row => row.at <= now + maxPriceAgeSeconds)
    .map(row => ({ ...row, units: parseFixedPoint(row.price) }))
    .filter(row => row.units !== null)
    .sort((a, b) => (a.units! < b.units! ? -1 : a.units! > b.units! ? 1 : 0))
  const low = fresh[0]?.units
  const high = fresh.at(-1)?.units
  if (/* guard: enough-sources */ fresh.length < minPriceSources /* end */ || !low || !high) return null
  // guard: sources-agree
  if ((high - low) * 100n > low * maxPriceSpreadPercent) return null
  const middle = fresh.length >> 1
  const upper = fresh[middle]!.units!
  // guard: median
  const median = fresh.length % 2 ? upper : (fresh[middle - 1]!.units! + upper) / 2n
  return {
    price: formatFixedPoint(median),
    source: fresh
      .map(row => row.source)
      .sort()
      .join(','),
    time: Math.min(...fresh.map(row => row.at)),
  }
}
