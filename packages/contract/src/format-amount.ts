import { truncateDecimal } from './decimal.ts'
import type { Language } from './languages.ts'
import { limits } from './limits.ts'

const decimalsMin = 2
/** More digits than any token has. */
const decimalsMax = 20

/**
 * Formats a decimal string for display: separators, and 2 to 6 fraction digits, truncated rather than rounded. Every
 * amount on screen, in notifications and in exports follows this rule. Other text is returned unchanged.
 */
export const formatAmount = (text: string, language: Language): string => format(text, language, limits.amountDecimals)

/** Formats a decimal string with separators and all of its digits, for details and tooltips. */
export const formatExactAmount = (text: string, language: Language): string => format(text, language, decimalsMax)

/** Number of fraction digits that `formatAmount` shows. */
export const amountDecimals = (text: string): number =>
  Math.max(decimalsMin, truncateDecimal(text, limits.amountDecimals).split('.')[1]?.length ?? 0)

const formats = new Map<string, Intl.NumberFormat>()

/** Intl reads the string itself, so no digit passes through a float. */
function format(text: string, language: Language, most: number): string {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return text
  const key = `${language} ${most}`
  let made = formats.get(key)
  if (!made) {
    made = new Intl.NumberFormat(language, { minimumFractionDigits: decimalsMin, maximumFractionDigits: most })
    formats.set(key, made)
  }
  return made.format(truncateDecimal(text, most) as Intl.StringNumericLiteral)
}
