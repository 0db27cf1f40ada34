import { medianPrice } from './median.ts'
import { fromFixed, times, toFixed } from './rates.ts'
import type { Ticker } from './read.ts'

/**
 * Converts tickers quoted in USDT to dollars, at the price of USDT that the other sources agree on. Without such a
 * price they are dropped: USDT is not assumed to be worth a dollar. Invalid prices are dropped too.
 */
export function inDollars<T extends Ticker & { source: string }>(rows: T[], now: number): T[] {
  const sane = rows.filter(row => toFixed(row.price) !== null)
  const direct = sane.filter(row => row.in === 'USD')
  const usdt = medianPrice(
    direct.filter(row => row.symbol === 'USDT'),
    now,
  )
  if (!usdt) return direct
  const dollars = toFixed(usdt.price)!
  const converted = sane
    .filter(row => row.in === 'USDT')
    .map(row => ({ ...row, in: 'USD' as const, price: fromFixed(times(toFixed(row.price)!, dollars)) }))
  return [...direct, ...converted]
}
