import { z } from 'zod'
import type { PriceSource } from './read.ts'
import { readJson } from './read.ts'

/** Bases of the USDT markets; Binance has no dollar markets. */
const symbols = ['BTC', 'ETH', 'USDC', 'BNB', 'TRX', 'SOL', 'XRP', 'DOGE', 'POL', 'LTC', 'TON', 'ADA', 'AVAX', 'LINK']
const answer = z.array(
  z.object({ symbol: z.string(), lastPrice: z.string(), priceChangePercent: z.string(), closeTime: z.number() }),
)

/** Binance spot, GET /api/v3/ticker/24hr with a list of markets. Prices are in USDT. */
export const binance = (base: string): PriceSource => ({
  name: 'binance',
  async read() {
    const markets = JSON.stringify(symbols.map(symbol => `${symbol}USDT`))
    const rows = answer.parse(await readJson(`${base}/api/v3/ticker/24hr?symbols=${encodeURIComponent(markets)}`))
    return rows.map(row => ({
      symbol: row.symbol.replace(/USDT$/, ''),
      price: row.lastPrice,
      in: 'USDT' as const,
      change: Number(row.priceChangePercent).toFixed(2),
      at: Math.floor(row.closeTime / 1000),
    }))
  },
})
