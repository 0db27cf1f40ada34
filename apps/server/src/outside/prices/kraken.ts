import { z } from 'zod'
import { invertRate } from './rates.ts'
import type { PriceSource, Ticker } from './read.ts'
import { readJson } from './read.ts'

/** Kraken's market names, as they appear in its answer. Markets with `invertRate` are quoted per dollar. */
export const krakenPairs: Record<string, { symbol: string; inverse?: true }> = {
  XXBTZUSD: { symbol: 'BTC' },
  XETHZUSD: { symbol: 'ETH' },
  USDTZUSD: { symbol: 'USDT' },
  USDCUSD: { symbol: 'USDC' },
  TRXUSD: { symbol: 'TRX' },
  SOLUSD: { symbol: 'SOL' },
  XXRPZUSD: { symbol: 'XRP' },
  XDGUSD: { symbol: 'DOGE' },
  POLUSD: { symbol: 'POL' },
  XLTCZUSD: { symbol: 'LTC' },
  ADAUSD: { symbol: 'ADA' },
  AVAXUSD: { symbol: 'AVAX' },
  LINKUSD: { symbol: 'LINK' },
  DAIUSD: { symbol: 'DAI' },
  ZEURZUSD: { symbol: 'EUR' },
  ZGBPZUSD: { symbol: 'GBP' },
  AUDUSD: { symbol: 'AUD' },
  ZUSDZJPY: { symbol: 'JPY', inverse: true },
  ZUSDZCAD: { symbol: 'CAD', inverse: true },
  USDCHF: { symbol: 'CHF', inverse: true },
}

const answer = z.object({
  error: z.array(z.string()).length(0),
  result: z.record(z.string(), z.object({ c: z.tuple([z.string(), z.string()]) })),
})

/** Kraken spot, GET /0/public/Ticker; `c` is the last trade. Its opening price is of the day, not of 24 hours ago. */
export const kraken = (base: string): PriceSource => ({
  name: 'kraken',
  async read(now) {
    const pairs = Object.keys(krakenPairs).join(',')
    const { result } = answer.parse(await readJson(`${base}/0/public/Ticker?pair=${pairs}`))
    return Object.entries(result).flatMap(([pair, { c }]): Ticker[] => {
      const known = krakenPairs[pair]
      const price = known?.inverse ? invertRate(c[0]) : c[0]
      return known && price !== null ? [{ symbol: known.symbol, price, in: 'USD', change: '', at: now }] : []
    })
  },
})
