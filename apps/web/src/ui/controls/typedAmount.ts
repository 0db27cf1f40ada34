import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { truncateDecimal } from '@coffer/contract/kit/truncate-decimal.ts'
import { isAmount } from '@coffer/contract/kit/validators.ts'
import type { Language } from '@coffer/contract/languages.ts'

/** Texts about an amount that a person types. */
export interface AmountTexts {
  /** What is allowed. */
  validaValue: string
  /** The text has two meanings. */
  either(text: string, one: string, other: string): string
  /** How the text is read. */
  read(amount: string): string
  /** The same, for a point that could be taken for a separator of thousands. */
  point(amount: string): string
}

const lengthMax = 40
const grouped = /^[1-9]\d{0,2}([ ',.])\d{3}(?:\1\d{3})*$/
/**
 * A point before three decimals of which the last is not 0, as amounts are written here: never with superfluous zeros.
 */
const likeThousands = /^[1-9]\d{0,2}\.\d{2}[1-9]$/

/**
 * A number as ASCII writes it: the digits and marks of Chinese keyboards, any space and apostrophe, no space around it.
 */
export const normalizeNumberText = (text: string): string =>
  text
    .trim()
    .replace(/[０-９]/g, digit => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[．。｡]/g, '.')
    .replaceAll('，', ',')
    .replaceAll('’', "'")
    .replace(/\s/g, ' ')

/** Digits without their separators of thousands; null if they are grouped otherwise, or by the mark of the decimals. */
function ungrouped(digits: string, mark = ''): string | null {
  if (/^\d+$/.test(digits)) return digits
  const separator = grouped.exec(digits)?.[1]
  return separator === undefined || separator === mark ? null : digits.replaceAll(separator, '')
}

/**
 * The amounts that a typed text may mean, as the server takes them: none if it is no amount, two for a text such as
 * "1,000" or "1.500", whose separator may be of thousands or of decimals.
 */
function readingsOf(text: string): string[] {
  if (text.length > lengthMax) return []
  const typed = normalizeNumberText(text)
  const readings = [likeThousands.test(typed) ? null : ungrouped(typed)]
  const at = Math.max(typed.lastIndexOf('.'), typed.lastIndexOf(','))
  const whole = ungrouped(typed.slice(0, Math.max(at, 0)), typed[at])
  const decimals = typed.slice(at + 1)
  if (whole !== null && /^\d+$/.test(decimals)) readings.push(`${whole}.${decimals}`)
  return readings.filter(each => each !== null).filter(isAmount)
}

/** The amount that a typed text means, as the server takes it; null if it means none, or may mean two. */
export function parseTypedAmount(text: string): string | null {
  const [amount, other] = readingsOf(text)
  return amount === undefined || other !== undefined ? null : amount
}

/**
 * The amount to send for a typed text that the rules of its form have let pass. One that was left empty stays empty.
 */
export const toRequestAmount = (text: string): string => parseTypedAmount(text) ?? text.trim()

/** Why a typed text has two meanings, as soon as it has; null otherwise, also for what is no amount yet. */
export function describeAmountAmbiguity(text: string, t: AmountTexts): string | null {
  const [one, other] = readingsOf(text).map(each => truncateDecimal(each, lengthMax))
  return one === undefined || other === undefined ? null : t.either(text.trim(), one, other)
}

/** Why a typed text is refused as an amount; null if it means one. */
export const describeAmountError = (text: string, t: AmountTexts): string | null =>
  describeAmountAmbiguity(text, t) ?? (parseTypedAmount(text) === null ? t.validaValue : null)

/** How a typed text is read, where it is not written as amounts are here; null otherwise. */
export function describeTypedAmount(text: string, t: AmountTexts, language: Language): string | null {
  const amount = parseTypedAmount(text)
  if (amount === null) return null
  const shown = formatExactAmount(amount, language)
  if (likeThousands.test(amount)) return t.point(shown)
  return amount === text ? null : t.read(shown)
}
