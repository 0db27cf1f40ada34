import { fiats } from '@coffer/contract/codes.ts'

export { fiats }

/** Tokens with a price: those that can be accepted, that pay for gas, or that merchants may watch. */
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

const known = new Set<string>([...tokens, ...fiats])
/** Whether the symbol has a price. */
export const isPricedSymbol = (symbol: string) => known.has(symbol)
