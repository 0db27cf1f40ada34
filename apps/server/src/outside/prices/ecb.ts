import { divideFixedPoint, formatFixedPoint, parseFixedPoint } from './rates.ts'
import type { PriceSource, Ticker } from './read.ts'
import { fetchText } from './read.ts'
import { isPricedSymbol } from './symbols.ts'

/** Maximum age of the reference rates (days): the closing days of Easter and a margin. */
const daysMax = 6

/**
 * The European Central Bank's reference rates, GET /stats/eurofxref/eurofxref-daily.xml: what one euro buys. They are
 * set once per working day and valid until the next, so a ticker has the time of our request.
 */
export const ecb = (base: string): PriceSource => ({
  name: 'ecb',
  async read(now) {
    const xml = await fetchText(`${base}/stats/eurofxref/eurofxref-daily.xml`)
    const day = /time=['"](\d{4}-\d\d-\d\d)['"]/.exec(xml)?.[1]
    const set = Date.parse(`${day}T00:00:00Z`) / 1000
    if (!(set > now - daysMax * 86_400)) throw new Error(`the reference rates are outdated: ${day}`)
    const rates = new Map<string, bigint | null>([['EUR', parseFixedPoint('1')]])
    for (const [, symbol, rate] of xml.matchAll(/currency=['"]([A-Z]{3})['"]\s+rate=['"]([\d.]+)['"]/g))
      rates.set(symbol!, parseFixedPoint(rate))
    const dollars = rates.get('USD')
    if (!dollars) throw new Error('the reference rates lack the dollar')
    return [...rates].flatMap(([symbol, rate]): Ticker[] =>
      rate && symbol !== 'USD' && isPricedSymbol(symbol)
        ? [{ symbol, price: formatFixedPoint(divideFixedPoint(dollars, rate)), in: 'USD', change: '', at: now }]
        : [],
    )
  },
})
