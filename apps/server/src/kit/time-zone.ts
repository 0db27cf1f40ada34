import type { IncomingHttpHeaders } from 'node:http'
import { isTimeZone } from '@coffer/contract/kit/texts.ts'
import type { Language } from '@coffer/contract/languages.ts'

/** Returns the zone that the header X-Time-Zone names, in its usual spelling; undefined for anything else. */
export function timeZoneOf({ headers }: { headers: IncomingHttpHeaders }): string | undefined {
  const named = String(headers['x-time-zone'] ?? '')
  if (!isTimeZone(named)) return undefined
  return new Intl.DateTimeFormat('en', { timeZone: named }).resolvedOptions().timeZone
}

const formats = new Map<string, Intl.DateTimeFormat>()
/** Bounds memory: a format takes 30 KB. */
const formatsMax = 500
const dateLocales: Record<Language, string> = { en: 'en-GB', 'zh-CN': 'zh-CN' }

function formatOf(zone: string, language: Language): Intl.DateTimeFormat {
  const key = `${language} ${zone}`
  let format = formats.get(key)
  if (!format) {
    // Chinese writes a long month as a number: 2026年11月30日.
    const month = language === 'en' ? 'short' : 'long'
    const date = { year: 'numeric', month, day: 'numeric' } as const
    const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    const timeZone = isTimeZone(zone) ? zone : 'UTC'
    format = new Intl.DateTimeFormat(dateLocales[language], { ...date, ...time, timeZone })
    if (formats.size >= formatsMax) formats.clear()
    formats.set(key, format)
  }
  return format
}

/** Says when something happened, with the zone: 30 Nov 2026, 15:04 (Europe/Berlin). UTC where none is known. */
export function formatMoment(seconds: number, zone: string | null, language: Language): string {
  const format = formatOf(zone ?? 'UTC', language)
  const { timeZone } = format.resolvedOptions()
  const moment = format.format(seconds * 1_000)
  if (language === 'zh-CN') return `${moment}（${timeZone}）`
  return timeZone === 'UTC' ? `${moment} UTC` : `${moment} (${timeZone})`
}
