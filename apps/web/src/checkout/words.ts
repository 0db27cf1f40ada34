import type { Language } from '@coffer/contract/languages.ts'
import { language, rememberLanguage } from '../i18n/language.ts'

export type Words = typeof import('../i18n/en/checkout.ts').default

const tables: Record<Language, () => Promise<{ default: Words }>> = {
  en: () => import('../i18n/en/checkout.ts'),
  'zh-CN': () => import('../i18n/zh-CN/checkout.ts'),
}

/** Loads the page's messages in a language and remembers the choice. */
export async function wordsIn(next: Language = language.get()): Promise<Words> {
  const words = (await tables[next]()).default
  if (next !== language.get()) rememberLanguage(next)
  return words
}
