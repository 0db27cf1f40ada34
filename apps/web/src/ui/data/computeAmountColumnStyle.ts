import { amountDecimals } from '@coffer/contract/kit/format-amount.ts'
import type { CSSProperties } from 'react'

/** An amount of a column. Empty values take no room. */
export interface ColumnAmount {
  value: string
  unit?: string
}

/** The number of decimals of an amount that are as large as its whole: two, or two that are not 0 below 1. */
export function countProminentDecimals(text: string): number {
  const [whole = '', fraction = ''] = text.split('.')
  const first = /[1-9]/.test(whole) ? -1 : fraction.search(/[1-9]/)
  return Math.max(2, first + 2)
}

/** Widths in digits: a point, and a quiet digit. */
const point = 0.45
const quiet = 0.82

/** The width of the decimals of an amount with their point, in digits. */
export function computeFractionWidth(value: string, unit?: string): number {
  const decimals = amountDecimals(value, unit)
  const loud = countProminentDecimals(value)
  return decimals && Math.round((point + Math.min(decimals, loud) + Math.max(0, decimals - loud) * quiet) * 100) / 100
}

/**
 * The style with which `<Amount column>` lines decimal points up: the widest decimals and, if units differ, the longest
 * unit. Set it on an element around the amounts.
 */
export function computeAmountColumnStyle(amounts: readonly ColumnAmount[]): CSSProperties {
  const shown = amounts.filter(({ value }) => value !== '')
  const units = new Set(shown.map(({ unit = '' }) => unit))
  return {
    '--fraction-max': Math.max(0, ...shown.map(({ value, unit }) => computeFractionWidth(value, unit))),
    ...(units.size > 1 && { '--unit-length': Math.max(...[...units].map(unit => unit.length)) }),
  } as CSSProperties
}
