import { z } from 'zod'
import { invertRate } from './rates.ts'
import type { PriceSource, Ticker } from './read.ts'
import { readJson } from './read.ts'
import { isPricedSymbol } from './symbols.ts'

const answer = z.object({ data: z.object({ currency: z.literal('USD'), rates: z.record(z.string(), z.string()) }) })

/** Coinbase, GET /v2/exchange-rates: how much of each currency or token one dollar buys. */
export const coinbase = (base: string): PriceSource => ({
  name: 'coinbase',
  async read(now) {
    const { data } = answer.parse(await readJson(`${base}/v2/exchange-rates?currency=USD`))
    return Object.entries(data.rates).flatMap(([symbol, rate]): Ticker[] => {
      const price = isPricedSymbol(symbol) && symbol !== 'USD' ? invertRate(rate) : null
      return price === null ? [] : [{ symbol, price, in: 'USD', change: '', at: now }]
    })
  },
})
