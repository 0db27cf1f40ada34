import type { ApplicationRates } from '@coffer/contract/applications/routes.ts'
import { fiats } from '@coffer/contract/codes.ts'
import { parseDecimal } from '@coffer/contract/kit/decimal.ts'
import { chooseRate, computePriceWithSpread, type QuotedRate } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { PriceSymbol } from '../../kit/price-symbol.ts'
import { maxPriceAgeSeconds } from '../../outside/prices/median.ts'
import { type LockedRate, quoteInUsdt } from './locked-rates.ts'
import { getOwnRate, toStatedRate } from './own-rates.ts'

/** How an application prices its orders; `rates` null: by the market. Each change counts `version`. */
export interface Pricing {
  rates: ApplicationRates | null
  version: number
}

/** Of an application that never changed its rates. */
export const marketPricing: Pricing = { rates: null, version: 0 }

/** The rate of an order: exact, and as it is locked and shown. `spreadBps` is in hundredths of a percent. */
export interface OrderRate {
  stated: QuotedRate
  spreadBps: bigint
  locked: LockedRate
}

/**
 * Returns the rate of each symbol for orders of an application now. Symbols that no source has a rate of are omitted.
 */
export async function orderRates(
  deps: Deps,
  { merchantId, appid }: { merchantId: string; appid: string },
  { rates }: Pricing,
  symbols: readonly PriceSymbol[],
): Promise<Record<PriceSymbol, OrderRate>> {
  const market = await quoteInUsdt(deps, symbols)
  const found: Record<PriceSymbol, OrderRate> = {}
  for (const currency of new Set(symbols)) {
    const quote = market[currency]
    const chosen = rates
      ? chooseRate(rates.sources, {
          fixed: fixed(deps, rates, currency),
          own: await own(deps, { merchant_id: merchantId, appid, currency }, rates),
          market: quote ? fromMarket(quote) : null,
        })
      : quote && fromMarket(quote)
    if (!chosen) continue
    const isFiat = (fiats as readonly string[]).includes(currency)
    const spreadBps = isFiat && rates ? parseDecimal(rates.spread, 2)! : 0n
    const { source, time } = chosen
    const locked = { price: computePriceWithSpread(chosen, spreadBps), source, time }
    found[currency] = {
      stated: chosen,
      spreadBps,
      locked: spreadBps === 0n ? locked : { ...locked, spread: rates!.spread },
    }
  }
  return found
}

const fromMarket = ({ price, source, time }: LockedRate) => ({ rate: price, perUsdt: false, source, time })

function fixed(deps: Deps, rates: ApplicationRates, currency: string) {
  const entry = rates.fixed.find(each => each.currency === currency)
  return entry && { ...toStatedRate(currency, entry.rate), source: 'fixed', time: deps.clock() }
}

/** Undefined where the application has no URL for the currency; null while it has no recent rate. */
async function own(deps: Deps, of: { merchant_id: string; appid: string; currency: string }, rates: ApplicationRates) {
  const entry = rates.own.find(each => each.currency === of.currency)
  if (!entry) return undefined
  const now = deps.clock()
  const row = await getOwnRate(deps.pool, now, { ...of, ...entry })
  if (!row || row.read_at < now - maxPriceAgeSeconds) return null
  return { ...toStatedRate(of.currency, row.rate), source: 'own', time: row.read_at }
}
