import type { Language } from '../languages.ts'
import { fiatDecimals } from './fiats.ts'
import { limits } from './limits.ts'
import { truncateDecimal } from './truncate-decimal.ts'

const decimalsMin = 2
/** More digits than any token has. */
const decimalsMax = 20

/**
 * Formats a decimal string for display: separators, and 2 to 6 fraction digits, or as many as the fiat currency `unit`
 * has, truncated rather than rounded. Every amount on screen, in notifications and in exports follows this rule. Other
 * text is returned unchanged.
 */
export const formatAmount = (text: string, language: Language, unit = ''): string =>
  format(text, language, least(unit), most(unit))

/** Formats a decimal string with separators and all of its digits, for details and tooltips. */
export const formatExactAmount = (text: string, language: Language, unit = ''): string =>
  format(text, language, least(unit), decimalsMax)

/** Number of fraction digits that `formatAmount` shows. */
export const amountDecimals = (text: string, unit = ''): number =>
  Math.max(least(unit), truncateDecimal(text, most(unit)).split('.')[1]?.length ?? 0)

const least = (unit: string) => fiatDecimals(unit) ?? decimalsMin
const most = (unit: string) => fiatDecimals(unit) ?? limits.amountDecimals

const formats = new Map<string, Intl.NumberFormat>()

/** Intl reads the string itself, so no digit passes through a float. */
function format(text: string, language: Language, least: number, most: number): string {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return text
  const key = `${language} ${least} ${most}`
  let made = formats.get(key)
  if (!made) {
    made = new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most })
    formats.set(key, made)
  }
  return made.format(truncateDecimal(text, most) as Intl.StringNumericLiteral)
}
