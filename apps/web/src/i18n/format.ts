import type { Language } from '@coffer/contract/languages.ts'
import { type Day, formatWallTime } from '../lib/days.ts'
import { browserZone } from '../lib/zone.ts'

/** Locales for written dates. */
export const dateLocales: Record<Language, string> = { en: 'en-GB', 'zh-CN': 'zh-CN' }

/** Formats an integer with separators. */
export const formatCount = (count: number, language: Language): string => countFormat(language).format(count)

/** Formats a ratio between 0 and 1 as a percentage: 0.125 is 12.5%. */
export const formatShare = (ratio: number, language: Language): string => shareFormat(language).format(ratio)

/** Formats bytes: 512 B, 1.2 kB, 3.4 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Formats unix seconds as YYYY-MM-DD HH:mm:ss in the browser's time zone. */
export const formatLocalTime = (seconds: number): string => formatWallTime(seconds, browserZone())

/** The same for payers, whom nothing else tells the zone: "2026-11-29 09:50:26 UTC+1". */
export function formatPayersTime(seconds: number, zone = browserZone()): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(
    seconds * 1000,
  )
  const offset = parts.find(({ type }) => type === 'timeZoneName')!.value
  return `${formatWallTime(seconds, zone)} ${offset.replace('GMT', 'UTC').replace(/\+0$/, '')}`
}

/** Formats a day as day and month for chart axes: "21 Nov", "11月21日". */
export const formatShortDay = (day: Day, language: Language): string =>
  shortDay(language).format(new Date(`${day}T00:00:00Z`))

const countFormat = remember((language: Language) => new Intl.NumberFormat(language, { maximumFractionDigits: 0 }))
const shareFormat = remember(
  (language: Language) =>
    new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
)
const shortDay = remember(
  (language: Language) =>
    new Intl.DateTimeFormat(dateLocales[language], { day: 'numeric', month: 'short', timeZone: 'UTC' }),
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
