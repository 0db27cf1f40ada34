/** How the sources of prices write themselves; others are shown as the server names them. */
const names: Readonly<Record<string, string>> = {
  binance: 'Binance',
  okx: 'OKX',
  coinbase: 'Coinbase',
  kraken: 'Kraken',
  ecb: 'ECB',
}

/** Returns the name of a price source as it writes itself. */
export const priceSourceName = (source: string): string => names[source] ?? source
