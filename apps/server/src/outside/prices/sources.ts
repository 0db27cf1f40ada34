import { binance } from './binance.ts'
import { coinbase } from './coinbase.ts'
import { ecb } from './ecb.ts'
import { kraken } from './kraken.ts'
import { okx } from './okx.ts'
import type { PriceSource } from './read.ts'

const adapters = { binance, okx, coinbase, kraken, ecb }
export type SourceName = keyof typeof adapters

/** Base URLs of the public APIs. */
const realSources: Record<SourceName, string> = {
  binance: 'https://api.binance.com',
  okx: 'https://www.okx.com',
  coinbase: 'https://api.coinbase.com',
  kraken: 'https://api.kraken.com',
  ecb: 'https://www.ecb.europa.eu',
}

/** Where the sources are read: below their names at a mirror, or at their public APIs. */
export const sourcesAt = (mirror: string): Record<SourceName, string> => {
  if (!mirror) return realSources
  const at = Object.keys(adapters).map(name => [name, `${mirror}/${name}`])
  return Object.fromEntries(at)
}

/** Every price source, at the given base URLs. */
export const priceSources = (at: Record<SourceName, string>): PriceSource[] =>
  (Object.keys(adapters) as SourceName[]).map(name => adapters[name](at[name]))
