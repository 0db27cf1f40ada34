import { binance } from './binance.ts'
import { coinbase } from './coinbase.ts'
import { ecb } from './ecb.ts'
import { kraken } from './kraken.ts'
import { okx } from './okx.ts'
import type { PriceSource } from './read.ts'

const adapters = { binance, okx, coinbase, kraken, ecb }
export type SourceName = keyof typeof adapters

/** Base URLs of the public APIs. */
export const realSources: Record<SourceName, string> = {
  binance: 'https://api.binance.com',
  okx: 'https://www.okx.com',
  coinbase: 'https://api.coinbase.com',
  kraken: 'https://api.kraken.com',
  ecb: 'https://www.ecb.europa.eu',
}

/** Every price source, at the given base URLs. */
export const priceSources = (at: Record<SourceName, string>): PriceSource[] =>
  (Object.keys(adapters) as SourceName[]).map(name => adapters[name](at[name]))
