import { amountDecimals } from '@coffer/contract/format-amount.ts'
import type { CSSProperties } from 'react'

/** An amount of a column. Empty values take no room. */
export interface ColumnAmount {
  value: string
  unit?: string
}

/**
 * The style with which `<Amount column>` lines decimal points up: the most decimals and, if units differ, the longest unit.
 * Set it on an element around the amounts.
 */
export function amountRoom(amounts: readonly ColumnAmount[]): CSSProperties {
  const shown = amounts.filter(({ value }) => value !== '')
  const units = new Set(shown.map(({ unit = '' }) => unit))
  return {
    '--decimals-max': Math.max(0, ...shown.map(({ value }) => amountDecimals(value))),
    ...(units.size > 1 && { '--unit-length': Math.max(...[...units].map(unit => unit.length)) }),
  } as CSSProperties
}
