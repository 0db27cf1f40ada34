import { z } from 'zod'
import { computePercentChange } from './rates.ts'
import type { PriceSource } from './read.ts'
import { readJson } from './read.ts'
import { isPricedSymbol } from './symbols.ts'

const answer = z.object({
  code: z.literal('0'),
  data: z.array(z.object({ instId: z.string(), idxPx: z.string(), open24h: z.string(), ts: z.string() })),
})

/** OKX index tickers, GET /api/v5/market/index-tickers: dollar prices, including that of USDT. */
export const okx = (base: string): PriceSource => ({
  name: 'okx',
  async read() {
    const { data } = answer.parse(await readJson(`${base}/api/v5/market/index-tickers?quoteCcy=USD`))
    return data
      .map(row => ({ ...row, symbol: row.instId.replace(/-USD$/, '') }))
      .filter(row => isPricedSymbol(row.symbol))
      .map(row => ({
        symbol: row.symbol,
        price: row.idxPx,
        in: 'USD' as const,
        change: computePercentChange(row.open24h, row.idxPx),
        at: Math.floor(Number(row.ts) / 1000),
      }))
  },
})
