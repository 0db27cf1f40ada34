import { compareDecimals, sumDecimals } from '@coffer/contract/kit/decimal.ts'

/** A share of the total. `token` is null for the remaining tokens. */
export interface TokenShare {
  token: string | null
  /** USDT, decimal string. */
  value: string
  /** Between 0 and 1, for drawing. */
  ratio: number
}

/**
 * The value of each token over all its chains, largest first: the `top` tokens, then the rest as one share. Tokens
 * without value are left out.
 */
export function computeTokenShares(
  rows: readonly { token: string; usdt_balance: string }[],
  top: number,
): TokenShare[] {
  const values = new Map<string, string>()
  for (const { token, usdt_balance } of rows) values.set(token, sumDecimals([values.get(token) ?? '0', usdt_balance]))
  const sorted = [...values]
    .filter(([, value]) => compareDecimals(value, '0') > 0)
    .sort(([tokenA, a], [tokenB, b]) => compareDecimals(b, a) || (tokenA < tokenB ? -1 : 1))
  const named: [string | null, string][] = sorted.slice(0, top)
  const rest = sorted.slice(top).map(([, value]) => value)
  const parts = rest.length > 0 ? [...named, [null, sumDecimals(rest)] as const] : named
  const total = Number(sumDecimals(parts.map(([, value]) => value)))
  return parts.map(([token, value]) => ({ token, value, ratio: Number(value) / total }))
}
