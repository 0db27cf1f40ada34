import { readFileSync } from 'node:fs'
import type { Language } from '@coffer/contract/languages.ts'
import { advice as adviceEn } from './en/advice.ts'
import { words as en } from './en/words.ts'
import type { KeyError } from './operations.ts'
import { advice as adviceZh } from './zh-CN/advice.ts'
import { reference as zhReference } from './zh-CN/reference.ts'
import { words as zh } from './zh-CN/words.ts'

export type DocsWords = typeof en

/** Translations of the contract's descriptions of fields. A test reports missing ones. */
export interface ReferenceTexts {
  /** Keyed by the object of the field: a component, a nested object such as `Order.rate`, or `parameters`. */
  fields: Record<string, Record<string, string>>
}

/** The texts of one language: labels around the guide, and the reference's texts unless the contract has them. */
export interface DocsTexts {
  words: DocsWords
  /** What a developer does about each error. */
  advice: Record<KeyError, string>
  reference?: ReferenceTexts
}

export const docsTexts: Record<Language, DocsTexts> = {
  en: { words: en, advice: adviceEn },
  'zh-CN': { words: zh, advice: adviceZh, reference: zhReference },
}

/** Reads the guide in a language, as markdown, from the language's folder. */
export const guideIn = (language: Language): string =>
  readFileSync(new URL(`./${language}/guide.md`, import.meta.url), 'utf8')
