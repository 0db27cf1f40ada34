import type { IncomingHttpHeaders } from 'node:http'
import { isTimeZone } from '@coffer/contract/kit/texts.ts'
import type { Language } from '@coffer/contract/languages.ts'

/** Returns the zone that the header X-Time-Zone names; undefined for anything else. */
export const timeZoneOf = ({ headers }: { headers: IncomingHttpHeaders }): string | undefined =>
  parseTimeZone(String(headers['x-time-zone'] ?? ''))

/** Returns a zone in its usual spelling, but not under its former name (Asia/Calcutta); undefined for none. */
export function parseTimeZone(named: string): string | undefined {
  if (!isTimeZone(named)) return undefined
  const usual = new Intl.DateTimeFormat('en', { timeZone: named }).resolvedOptions().timeZone
  return usual.toLowerCase() === named.toLowerCase() ? usual : named
}

interface Clock {
  format: Intl.DateTimeFormat
  zone: string
}
const clocks = new Map<string, Clock>()
/** Bounds memory: a format takes 30 KB. */
const clocksMax = 500
const dateLocales: Record<Language, string> = { en: 'en-GB', 'zh-CN': 'zh-CN' }

/** The clock of a zone, or of UTC where none is known. */
function clockOf(known: string | null, language: Language): Clock {
  const key = `${language} ${known}`
  let clock = clocks.get(key)
  if (!clock) {
    const zone = known !== null && isTimeZone(known) ? known : 'UTC'
    // Chinese writes a long month as a number: 2026年11月30日.
    const month = language === 'en' ? 'short' : 'long'
    const date = { year: 'numeric', month, day: 'numeric' } as const
    const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    clock = { format: new Intl.DateTimeFormat(dateLocales[language], { ...date, ...time, timeZone: zone }), zone }
    if (clocks.size >= clocksMax) clocks.clear()
    clocks.set(key, clock)
  }
  return clock
}

/** Says when something happened by the clock of a zone: 30 Nov 2026, 15:04. UTC where none is known. */
export const formatClock = (seconds: number, zone: string | null, language: Language): string =>
  clockOf(zone, language).format.format(seconds * 1_000)

/** The same in two parts, for a list whose lines are of one day. */
export function splitClock(seconds: number, zone: string | null, language: Language): { day: string; time: string } {
  const moment = formatClock(seconds, zone, language)
  return { day: moment.slice(0, -5).replace(/,? $/, ''), time: moment.slice(-5) }
}

/** The zone of whose clock `formatClock` says times. */
export const nameZone = (zone: string | null): string => clockOf(zone, 'en').zone

/** Says when something happened, with the zone: 30 Nov 2026, 15:04 (Europe/Berlin). */
export function formatMoment(seconds: number, zone: string | null, language: Language): string {
  const moment = formatClock(seconds, zone, language)
  const name = nameZone(zone)
  if (language === 'zh-CN') return `${moment}（${name}）`
  return name === 'UTC' ? `${moment} UTC` : `${moment} (${name})`
}
