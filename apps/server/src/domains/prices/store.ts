import { all, type Queryable } from '../../kit/db.ts'
import { dividedBy, toFixed } from '../../outside/prices/rates.ts'

/** What one unit of a symbol was last known to be worth. Good for showing a value; to charge one, ask `deps.prices`. */
export interface Worth {
  /** USDT for one unit, a fixed-point integer of 18 digits after the point. */
  usdt: bigint
  /** Change within 24 hours in percent with its sign, or empty when nobody tells. */
  change: string
}

const median = <T>(sorted: T[]): T | undefined => sorted[sorted.length >> 1]
const byValue = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

const readPrices = all('prices-all', 'select symbol, price, change_24h, at from prices')

/** Last known worth by symbol; those never heard of are left out. A USDT is worth one USDT. */
export async function readWorths(c: Queryable): Promise<Map<string, Worth>> {
  const rows = await readPrices(c)
  const dollars = new Map<string, { price: bigint; change: string }>()
  for (const [symbol, said] of Map.groupBy(rows, row => row.symbol)) {
    // A source that fell silent says nothing about now while others still speak.
    const newest = Math.max(...said.map(row => row.at))
    const current = said.filter(row => row.at > newest - 120)
    const price = median(current.flatMap(row => toFixed(row.price) ?? []).sort(byValue))
    const changes = current.map(row => row.change_24h).filter(text => /^-?\d+(\.\d+)?$/.test(text))
    const change = median(changes.sort((a, b) => Number(a) - Number(b))) ?? ''
    if (price !== undefined) dollars.set(symbol, { price, change: signed(change) })
  }
  const usdt = dollars.get('USDT')
  const one = toFixed('1')!
  const worths = new Map<string, Worth>([['USDT', { usdt: one, change: usdt?.change ?? '' }]])
  if (!usdt) return worths
  for (const [symbol, { price, change }] of dollars)
    if (symbol !== 'USDT') worths.set(symbol, { usdt: dividedBy(price, usdt.price), change })
  return worths
}

/** When each source last said anything, in unix seconds. */
export const lastSaid = all('prices-last-said', 'select source, max(at) as at from prices group by source')

const signed = (change: string) => (change === '' || change.startsWith('-') ? change : `+${change}`)

/** The value of base units in millionths of a USDT, rounded down; 0 when the worth is not known. */
export const valueInUsdt = (units: bigint, decimals: number, worth: Worth | undefined): bigint =>
  worth ? (units * worth.usdt) / 10n ** BigInt(decimals + 12) : 0n
