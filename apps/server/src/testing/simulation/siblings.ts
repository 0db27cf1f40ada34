import type { SiblingToken } from '@coffer/chains'

/** Tokens that stand for those of the chains, with the same decimals or others. */
export const siblings: Record<string, SiblingToken> = {
  eth: { symbol: 'USDC.e', contract: `0x${'b1'.repeat(20)}`, decimals: 6, of: 'USDC', issuer: 'a bridge' },
  bsc: { symbol: 'USDT.e', contract: `0x${'b2'.repeat(20)}`, decimals: 6, of: 'USDT', issuer: 'a bridge' },
  tron: { symbol: 'USDT.b', contract: `0x${'b3'.repeat(20)}`, decimals: 6, of: 'USDT', issuer: 'a bridge' },
}

/** The symbol by whose price an asset is valued. */
export const priceOf = (symbol: string): string =>
  Object.values(siblings).find(each => each.symbol === symbol)?.of ?? symbol
