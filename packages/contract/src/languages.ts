/**
 * The supported languages, each with its native name and its value of the header `X-Language`. To add one, add it here:
 * the compiler then reports every missing text.
 */
export const languages = {
  en: { name: 'English', tag: 'en-US' },
  'zh-CN': { name: '简体中文', tag: 'zh-CN' },
} as const satisfies Record<string, { name: string; tag: string }>

export type Language = keyof typeof languages
export const languageList = Object.keys(languages) as Language[]

/**
 * Returns the language of a tag such as `en-GB`, or the first language of an `Accept-Language` header; English by
 * default.
 */
export const languageOf = (tag: string): Language =>
  languageList.find(language => tag.toLowerCase().startsWith(language.slice(0, 2))) ?? 'en'
