import { readFileSync } from 'node:fs'
import type { Language } from '@coffer/contract/languages.ts'
import { advice as adviceEn } from './en/advice.ts'
import { words as en } from './en/words.ts'
import type { MerchantApiErrorName } from './operations.ts'
import { advice as adviceZh } from './zh-CN/advice.ts'
import { words as zh } from './zh-CN/words.ts'

export type DocsWords = typeof en

/** The texts of one language around the guide and the reference, whose texts the contract has. */
export interface DocsTexts {
  words: DocsWords
  /** What a developer does about each error. */
  advice: Record<MerchantApiErrorName, string>
}

export const docsTexts: Record<Language, DocsTexts> = {
  en: { words: en, advice: adviceEn },
  'zh-CN': { words: zh, advice: adviceZh },
}

/** Reads the guide in a language, as markdown, from the language's folder. */
export const readGuide = (language: Language): string =>
  readFileSync(new URL(`./${language}/guide.md`, import.meta.url), 'utf8')
