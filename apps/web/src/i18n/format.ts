import type { Language } from '@coffer/contract/languages.ts'

/** Locales for written dates. */
export const dateLocales: Record<Language, string> = { en: 'en-GB', 'zh-CN': 'zh-CN' }
const dayFormats: Record<Language, (day: Record<'year' | 'month' | 'day', string>) => string> = {
  en: ({ year, month, day }) => `${day}/${month}/${year}`,
  'zh-CN': ({ year, month, day }) => `${year}.${month}.${day}`,
}

/** Formats an integer with separators. */
export const formatCount = (count: number, language: Language): string => countFormat(language).format(count)

/** Formats a ratio between 0 and 1 as a percentage: 0.125 is 12.5%. */
export const formatShare = (ratio: number, language: Language): string => shareFormat(language).format(ratio)

/** Formats bytes: 512 B, 1.2 kB, 3.4 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Formats unix seconds as YYYY-MM-DD HH:mm:ss in the reader's time zone. */
export function formatTime(seconds: number): string {
  const { year, month, day, hour, minute, second } = parts(seconds)
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`
}

/** Formats unix seconds as a day: DD/MM/YYYY in English, YYYY.MM.DD in Chinese. */
export const formatDay = (seconds: number, language: Language): string => dayFormats[language](parts(seconds))

/** Formats unix seconds as day and month for chart axes: "21 Nov", "11月21日". */
export const formatShortDay = (seconds: number, language: Language): string =>
  shortDay(language).format(new Date(seconds * 1000))

/** Local date parts. Date is far cheaper than Intl, and tables show many times. */
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

const countFormat = remember((language: Language) => new Intl.NumberFormat(language, { maximumFractionDigits: 0 }))
const shareFormat = remember(
  (language: Language) =>
    new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
)
const shortDay = remember(
  (language: Language) => new Intl.DateTimeFormat(dateLocales[language], { day: 'numeric', month: 'short' }),
)
/** Caches Intl objects by arguments: they are slow to create and fast to use. */
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
