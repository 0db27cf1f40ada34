import type { RouteData } from '@coffer/contract'
import { compareDecimals } from '@coffer/contract/kit/decimal.ts'

export type Balance = RouteData<'GET /api/v1/statistics/assets'>['list'][number]

/** Balances whose token or chain matches the text, optionally without zero balances. Largest value first. */
export function filterBalances(rows: readonly Balance[], text: string, hideZero: boolean): Balance[] {
  const wanted = text.trim().toLowerCase()
  return rows
    .filter(row => !(hideZero && isZero(row)))
    .filter(row => `${row.token} ${row.chain}`.toLowerCase().includes(wanted))
    .sort((a, b) => compareDecimals(b.usdt_balance, a.usdt_balance) || (nameOf(a) < nameOf(b) ? -1 : 1))
}

const isZero = (row: Balance): boolean =>
  compareDecimals(row.balance, '0') === 0 && compareDecimals(row.held, '0') === 0
const nameOf = (row: Balance): string => `${row.token} ${row.chain}`

/** A balance's share of the total value, between 0 and 1. */
export const computeBalanceShare = (value: string, total: string): number =>
  Number(total) > 0 ? Number(value) / Number(total) : 0
