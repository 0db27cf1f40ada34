import type { Language } from '@coffer/contract/languages.ts'
import type { OpenApiDocument } from './fields.ts'
import { buildOpenApiDocument } from './openapi.ts'
import { docsPage, type MarkdownPage, markdownPages } from './page.ts'

/** The documentation of a server in its forms. */
export interface Documentation {
  /** The OpenAPI document. */
  document: () => OpenApiDocument
  /** The page as HTML. */
  pageIn: (language: Language) => string
  /** Its sections as markdown. */
  markdownIn: (language: Language) => MarkdownPage[]
}

/** Makes each form at its first use, as one takes up to 0.1 s of processor, and keeps it. */
export const createDocumentation = (publicUrl: string): Documentation => ({
  document: memoizeByKey<void, OpenApiDocument>(() => buildOpenApiDocument(publicUrl) as unknown as OpenApiDocument),
  pageIn: memoizeByKey(language => docsPage(publicUrl, language)),
  markdownIn: memoizeByKey(language => markdownPages(publicUrl, language)),
})

/** Makes something once for each key. */
export function memoizeByKey<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>()
  return key => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}
