import type { Language } from '@coffer/contract/languages.ts'
import type { Document } from './fields.ts'
import { openApi } from './openapi.ts'
import { docsPage, type MarkdownPage, markdownPages } from './page.ts'

/** The documentation of a server in its forms. */
export interface Documentation {
  /** The OpenAPI document. */
  document: () => Document
  /** The page as HTML. */
  pageIn: (language: Language) => string
  /** Its sections as markdown. */
  markdownIn: (language: Language) => MarkdownPage[]
}

/** Makes each form at its first use, as one takes up to 0.1 s of processor, and keeps it. */
export const documentationOf = (publicUrl: string): Documentation => ({
  document: once<void, Document>(() => openApi(publicUrl) as unknown as Document),
  pageIn: once(language => docsPage(publicUrl, language)),
  markdownIn: once(language => markdownPages(publicUrl, language)),
})

/** Makes something once for each key. */
export function once<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>()
  return key => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}
