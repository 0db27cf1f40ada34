import { readFileSync } from 'node:fs'
import type { Language } from '@coffer/contract/languages.ts'
import { words as en } from './en/words.ts'
import type { DocumentedKey } from './operations.ts'
import { reference as zhReference } from './zh-CN/reference.ts'
import { words as zh } from './zh-CN/words.ts'

export type DocsWords = typeof en

/** What the contract says in English of calls and fields, in another language. A test tells what is missing. */
export interface ReferenceTexts {
  calls: Record<DocumentedKey, string>
  /** By the shape that has the field: a component, `Order.rate` for an object inside one, or `parameters`. */
  fields: Record<string, Record<string, string>>
}

/** The texts of one language: the few around the guide, and those of the reference unless they stand in the contract. */
export interface DocsTexts {
  words: DocsWords
  reference?: ReferenceTexts
}

/** Every language has a folder of its name. */
export const docsTexts: Record<Language, DocsTexts> = {
  en: { words: en },
  'zh-CN': { words: zh, reference: zhReference },
}

/** The text of the guide, as markdown. */
export const guideIn = (language: Language): string =>
  readFileSync(new URL(`./${language}/guide.md`, import.meta.url), 'utf8')
