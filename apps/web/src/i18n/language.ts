import { type Language, languageList } from '@coffer/contract/languages.ts'
import { cell } from '../lib/cell.ts'
import { readStored, writeStored } from '../lib/storage.ts'

/** The stored language, else the browser's if supported, else English. */
export const initialLanguage = (stored: string | null, browser: string): Language =>
  [stored, browser].map(tag => languageList.find(each => each === tag)).find(Boolean) ?? 'en'

const browserLanguage = typeof navigator === 'undefined' ? 'en' : navigator.language
export const language = cell<Language>(initialLanguage(readStored('language'), browserLanguage))

export function rememberLanguage(next: Language): void {
  writeStored('language', next)
  document.documentElement.lang = next
  language.set(next)
}
