import { cell } from '../lib/cell.ts'
import { readStored, writeStored } from '../lib/storage.ts'

export const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]

/** The name of a language in itself, and what the server calls it. */
export const languageNames: Record<Language, string> = { en: 'English', 'zh-CN': '简体中文' }
export const languageHeader: Record<Language, 'en-US' | 'zh-CN'> = { en: 'en-US', 'zh-CN': 'zh-CN' }

/** The stored choice if there is one, else the browser's language if it is zh-CN or English, else English. */
export function initialLanguage(stored: string | null, browser: string): Language {
  if (stored === 'en' || stored === 'zh-CN') return stored
  return browser === 'zh-CN' ? 'zh-CN' : 'en'
}

const browserLanguage = typeof navigator === 'undefined' ? 'en' : navigator.language
export const language = cell<Language>(initialLanguage(readStored('language'), browserLanguage))

export function rememberLanguage(next: Language): void {
  writeStored('language', next)
  document.documentElement.lang = next
  language.set(next)
}
