/**
 * The languages of everything that people read, each with its own name and its value of `X-Language` on the wire. To add
 * one, add it here: the compiler then names every text that it lacks.
 */
export const languages = {
  en: { name: 'English', tag: 'en-US' },
  'zh-CN': { name: '简体中文', tag: 'zh-CN' },
} as const satisfies Record<string, { name: string; tag: string }>

export type Language = keyof typeof languages
export const languageList = Object.keys(languages) as Language[]

/** The language of a tag such as `en-GB` or of an `Accept-Language` header, by its first language; else English. */
export const languageOf = (tag: string): Language =>
  languageList.find(language => tag.toLowerCase().startsWith(language.slice(0, 2))) ?? 'en'
