/** Fiat currencies in which orders are priced and books are kept. */
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
export type Fiat = (typeof fiats)[number]

/** Of those without a smaller unit. */
const whole: readonly string[] = ['JPY', 'KRW'] satisfies Fiat[]

/** The decimals in which people write amounts of a fiat currency; undefined for a token. */
export const fiatDecimals = (unit: string): 0 | 2 | undefined =>
  whole.includes(unit) ? 0 : (fiats as readonly string[]).includes(unit) ? 2 : undefined
