import type { Language } from '@coffer/contract/languages.ts'
import { use } from 'react'
import { language } from '../i18n/language.ts'
import { useCell } from '../lib/useCell.ts'

// Not an area of the back-office, whose first pages would load its name.
const en = () => import('../i18n/en/operator.ts')
export type Texts = Awaited<ReturnType<typeof en>>['default']
const tables: Record<Language, () => Promise<{ default: Texts }>> = {
  en,
  'zh-CN': () => import('../i18n/zh-CN/operator.ts'),
}
const loading = new Map<Language, Promise<Texts>>()
const loaded = new Map<Language, Texts>()

export function loadTexts(inLanguage = language.get()): Promise<Texts> {
  const known = loading.get(inLanguage)
  if (known) return known
  const promise = tables[inLanguage]().then(module => {
    loaded.set(inLanguage, module.default)
    return module.default
  })
  promise.catch(() => loading.delete(inLanguage))
  loading.set(inLanguage, promise)
  return promise
}

/** The texts of the console in the current language. Suspends while they load. */
export function useTexts(): Texts {
  const inLanguage = useCell(language)
  return loaded.get(inLanguage) ?? use(loadTexts(inLanguage))
}
