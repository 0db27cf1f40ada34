import { type Language, language, rememberLanguage } from '../i18n/language.ts'

const tables = {
  en: () => import('../i18n/en/checkout.ts'),
  'zh-CN': () => import('../i18n/zh-CN/checkout.ts'),
}

export type Words = Awaited<ReturnType<(typeof tables)['en']>>['default']

/** The messages of the page in a language; the choice is remembered. */
export async function wordsIn(next: Language = language.get()): Promise<Words> {
  const words = (await tables[next]()).default
  if (next !== language.get()) rememberLanguage(next)
  return words
}
