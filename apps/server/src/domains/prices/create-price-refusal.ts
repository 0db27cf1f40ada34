import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { lastReliablePrice } from './store.ts'

/**
 * Makes the refusal of what needs a price that no source has now. It says when the last reliable one was, stored every
 * five minutes. `field` is the input that needs the price of the symbol.
 */
export async function createPriceRefusal({ pool }: Deps, symbol: string, field: string): Promise<Refusal> {
  const last = await lastReliablePrice(pool, symbol)
  const when = last && `${new Date(last.at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return new Refusal('price_unavailable', {
    field,
    // Sources are read twice a minute.
    retryAfter: 60,
    detail: {
      en: when ? `the last reliable price of ${symbol} is of ${when}` : `${symbol} has no reliable price yet`,
      'zh-CN': when ? `${symbol} 的最近可靠报价时间为 ${when}` : `${symbol} 尚无可靠报价`,
    },
  })
}
