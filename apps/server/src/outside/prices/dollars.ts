import { judge } from './judge.ts'
import type { Ticker } from './prices.ts'
import { fromFixed, times, toFixed } from './rates.ts'

/**
 * Brings tickers that are in USDT to dollars by what the others say a USDT costs. Without a trustworthy price of USDT
 * they are left out: it is not taken for a dollar. What is no price is left out too.
 */
export function inDollars<T extends Ticker & { source: string }>(rows: T[], now: number): T[] {
  const sane = rows.filter(row => toFixed(row.price) !== null)
  const direct = sane.filter(row => row.in === 'USD')
  const usdt = judge(
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
