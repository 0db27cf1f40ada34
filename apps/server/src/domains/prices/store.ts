import { powerOfTen } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { all, first, type Queryable } from '../../kit/db.ts'
import { type PriceSymbol, toPriceSymbol } from '../../kit/price-symbol.ts'
import { divideFixedPoint, parseFixedPoint } from '../../outside/prices/rates.ts'

/** The last known price of a symbol. Good for display only; `deps.prices` has the prices for charging. */
export interface Quote {
  /** USDT for one unit, a fixed-point integer with 18 decimal places. */
  usdt: bigint
  /** Change within 24 hours in percent with its sign, or empty when unknown. */
  change: string
}

const median = <T>(sorted: T[]): T | undefined => sorted[sorted.length >> 1]
const byValue = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)
const signed = (change: string) => (change === '' || change.startsWith('-') ? change : `+${change}`)

const readPrices = all('prices-all', 'select symbol, price, change_24h, at from prices')

/** Reads the last known quotes by symbol; symbols that never had a price are absent. 1 USDT is 1 USDT. */
export async function readQuotes(c: Queryable): Promise<ReadonlyMap<PriceSymbol, Quote>> {
  const dollars = new Map<string, { price: bigint; change: string }>()
  for (const [symbol, rows] of Map.groupBy(await readPrices(c), row => row.symbol)) {
    // Sources that fell silent do not count while others still answer.
    const newest = Math.max(...rows.map(row => row.at))
    const current = rows.filter(row => row.at > newest - 120)
    const price = median(current.flatMap(row => parseFixedPoint(row.price) ?? []).sort(byValue))
    const changes = current.map(row => row.change_24h).filter(text => /^-?\d+(\.\d+)?$/.test(text))
    const change = median(changes.sort((a, b) => Number(a) - Number(b))) ?? ''
    if (price !== undefined) dollars.set(symbol, { price, change: signed(change) })
  }
  const usdt = dollars.get('USDT')
  const quotes = new Map<PriceSymbol, Quote>([
    [toPriceSymbol('USDT'), { usdt: parseFixedPoint('1')!, change: usdt?.change ?? '' }],
  ])
  if (!usdt) return quotes
  for (const [symbol, { price, change }] of dollars)
    if (symbol !== 'USDT') quotes.set(toPriceSymbol(symbol), { usdt: divideFixedPoint(price, usdt.price), change })
  return quotes
}

/** The last price on which sources agreed, in dollars; one is stored every five minutes. */
export const lastReliablePrice = first(
  'price-newest',
  'select at, price from price_history where symbol = $1 order by at desc limit 1',
)

/** Reads when each source last gave a price, in Unix seconds. */
export const lastQuoteTimes = all('prices-last-said', 'select source, max(at) as at from prices group by source')

/**
 * Reads when each source last gave a price, 0 if never. It is silent well before its prices are too old for orders, so
 * that operators know first.
 */
export async function priceSourceStates({ pool, prices, clock }: Pick<Deps, 'pool' | 'prices' | 'clock'>) {
  const times = new Map((await lastQuoteTimes(pool)).map(({ source, at }) => [source, at ?? 0]))
  const sources = new Set([...times.keys(), ...prices.sources])
  const silent = (time = prices.since) => time < clock() - silentAfter
  return [...sources].map(source => ({ source, time: times.get(source) ?? 0, silent: silent(times.get(source)) }))
}
const silentAfter = 120

/** Returns the value of base units in USDT with `valueDecimals`, rounded down; 0 when the price is unknown. */
export const valueInUsdt = (units: bigint, decimals: number, quote: Quote | undefined): bigint =>
  quote ? (units * quote.usdt) / powerOfTen(decimals) : 0n
