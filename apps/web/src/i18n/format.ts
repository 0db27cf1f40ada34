import { truncateDecimal } from '@coffer/contract/decimal.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { limits } from '@coffer/contract/limits.ts'

const minimumDecimals = 2
/** Where days are written as we want them. */
export const dateLocales: Record<Language, string> = { en: 'en-GB', 'zh-CN': 'zh-CN' }
const dayFormats: Record<Language, (day: Record<'year' | 'month' | 'day', string>) => string> = {
  en: ({ year, month, day }) => `${day}/${month}/${year}`,
  'zh-CN': ({ year, month, day }) => `${year}.${month}.${day}`,
}

/**
 * A decimal string with separators: at most `decimals` (6) digits after the point, cut and never rounded up, at least 2.
 * Intl reads the string itself, so no digit passes through a float. Text that is no decimal is given back unchanged.
 */
export function formatAmount(text: string, language: Language, decimals: number = limits.amountDecimals): string {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return text
  const format = amountFormat(language, Math.min(minimumDecimals, decimals), decimals)
  return format.format(truncateDecimal(text, decimals) as Intl.StringNumericLiteral)
}

/** A whole number with separators. */
export const formatCount = (count: number, language: Language): string => amountFormat(language, 0, 0).format(count)

/** A part of a whole, between 0 and 1, in percent: 0.125 is 12.5%. */
export const formatShare = (ratio: number, language: Language): string => shareFormat(language).format(ratio)

/** YYYY-MM-DD HH:mm:ss in the reader's time zone. `seconds` is unix time. */
export function formatTime(seconds: number): string {
  const { year, month, day, hour, minute, second } = parts(seconds)
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`
}

/** A day: DD/MM/YYYY in English, YYYY.MM.DD in Chinese. `seconds` is unix time. */
export const formatDay = (seconds: number, language: Language): string => dayFormats[language](parts(seconds))

/** A month and day for chart axes: "21 Nov", "11月21日". */
export const formatShortDay = (seconds: number, language: Language): string =>
  shortDay(language).format(new Date(seconds * 1000))

/** The reader's clock. Date knows it at a fraction of what Intl costs, and tables have many times. */
function parts(seconds: number) {
  const date = new Date(seconds * 1000)
  const two = (part: number) => String(part).padStart(2, '0')
  return {
    year: String(date.getFullYear()),
    month: two(date.getMonth() + 1),
    day: two(date.getDate()),
    hour: two(date.getHours()),
    minute: two(date.getMinutes()),
    second: two(date.getSeconds()),
  }
}

const amountFormat = remember(
  (language: Language, least: number, most: number) =>
    new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most }),
)
const shareFormat = remember(
  (language: Language) =>
    new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
)
const shortDay = remember(
  (language: Language) => new Intl.DateTimeFormat(dateLocales[language], { day: 'numeric', month: 'short' }),
)
/** Intl objects are slow to make and quick to use: one per set of arguments. */
function remember<A extends (string | number)[], T>(make: (...args: A) => T): (...args: A) => T {
  const made = new Map<string, T>()
  return (...args) => {
    const key = args.join(' ')
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make(...args)
    made.set(key, fresh)
    return fresh
  }
}
