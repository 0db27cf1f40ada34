/** Tokens whose price is followed: what can be accepted, what pays for gas, and what merchants like to watch. */
export const tokens = [
  'BTC',
  'ETH',
  'USDT',
  'USDC',
  'BNB',
  'TRX',
  'SOL',
  'XRP',
  'DOGE',
  'POL',
  'LTC',
  'TON',
  'ADA',
  'AVAX',
  'LINK',
  'DAI',
] as const

/** Currencies that an order may be priced in. */
export const fiats = [
  'USD',
  'EUR',
  'GBP',
  'CNY',
  'JPY',
  'HKD',
  'SGD',
  'AUD',
  'CAD',
  'CHF',
  'KRW',
  'INR',
  'THB',
  'MYR',
  'IDR',
  'PHP',
  'BRL',
  'MXN',
  'TRY',
  'ZAR',
] as const

const known = new Set<string>([...tokens, ...fiats])
/** True for a symbol whose price is followed. */
export const isFollowed = (symbol: string) => known.has(symbol)
