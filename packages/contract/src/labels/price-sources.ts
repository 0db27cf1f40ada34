import type { Language } from '../languages.ts'

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

/** Returns stored sources such as `coinbase,okx / ecb`, of a token and of the currency it was converted to, as people read them. */
export const priceSourcesText = (stored: string, language: Language): string =>
  stored
    .split(' / ')
    .map(each =>
      each
        .split(',')
        .map(priceSourceName)
        .join(language === 'zh-CN' ? '、' : ', '),
    )
    .join(' / ')
