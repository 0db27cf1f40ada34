import { language } from './language.ts'

/** What stands between the items of a list, and between the parts of a sentence. */
export const separators = { en: { items: ', ', clauses: ', ' }, 'zh-CN': { items: '、', clauses: '，' } }

const brackets = { en: [' (', ')'], 'zh-CN': ['（', '）'] } as const

/** A name with a note in the brackets of the language; without a note the name alone. */
export const withNote = (name: string, note: string | number): string =>
  note === '' ? name : name + brackets[language.get()].join(String(note))

/** Joins the items of a list as the language does. */
export const joinList = (items: readonly string[]): string => items.join(separators[language.get()].items)
