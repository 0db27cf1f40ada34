import type { Language } from '@coffer/contract/languages.ts'
import type { Day } from '../lib/days.ts'

const dayFormats: Record<Language, (year: string, month: string, day: string) => string> = {
  en: (year, month, day) => `${day}/${month}/${year}`,
  'zh-CN': (year, month, day) => `${year}.${month}.${day}`,
}

/** Formats a day: DD/MM/YYYY in English, YYYY.MM.DD in Chinese. */
export function formatDay(day: Day, language: Language): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return dayFormats[language](year, month, date)
}
