import { crossRate } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { type PriceSymbol, toPriceSymbol } from '../../kit/price-symbol.ts'
import { Refusal } from '../../kit/refusal.ts'

/** USDT price of one unit, locked for a payment or a withdrawal. */
export interface LockedRate {
  price: string
  source: string
  /** Unix seconds. */
  time: number
  /** Percent that the price includes; absent when none. */
  spread?: string
}

/** Returns the current USDT rate of each symbol. Symbols without a reliable price are omitted. */
export async function quoteInUsdt(
  deps: Deps,
  symbols: readonly PriceSymbol[],
): Promise<Record<PriceSymbol, LockedRate>> {
  const now = deps.clock()
  const usdtSymbol = toPriceSymbol('USDT')
  const rates: Record<PriceSymbol, LockedRate> = { [usdtSymbol]: { price: '1', source: 'USDT', time: now } }
  const others = [...new Set(symbols)].filter(symbol => symbol !== usdtSymbol)
  if (others.length === 0) return rates
  const [usdt, ...quotes] = await Promise.all([usdtSymbol, ...others].map(symbol => quoteOrNull(deps, symbol)))
  if (!usdt) return rates
  for (const [index, quote] of quotes.entries()) {
    if (!quote) continue
    const { source, time } = quote
    const price = crossRate(quote.price, usdt.price)
    if (price !== '0') rates[others[index]!] = { price, source, time: Math.min(time, usdt.time) }
  }
  return rates
}

async function quoteOrNull(deps: Deps, symbol: PriceSymbol) {
  try {
    return await deps.prices.quote(symbol)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
