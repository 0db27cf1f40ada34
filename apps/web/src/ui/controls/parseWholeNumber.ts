import { normalizeNumberText } from './typedAmount.ts'

/**
 * The whole number that a text says, in digits that may be grouped by thousands as readers of English and Chinese write
 * them. Null if it is none, such as "2,5" or "1.0", which could be meant otherwise.
 */
export function parseWholeNumber(text: string): number | null {
  const digits = normalizeNumberText(text)
  if (!/^(\d+|\d{1,3}([, ']\d{3})+)$/.test(digits)) return null
  const value = Number(digits.replace(/\D/g, ''))
  return Number.isSafeInteger(value) ? value : null
}
