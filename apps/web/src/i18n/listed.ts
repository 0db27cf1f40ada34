import { language } from './language.ts'

/** What stands between the items of a list, and between the parts of a sentence. */
export const separators = { en: { items: ', ', clauses: ', ' }, 'zh-CN': { items: '、', clauses: '，' } }

/** Joins the items of a list as the language does. */
export const listed = (items: readonly string[]): string => items.join(separators[language.get()].items)
