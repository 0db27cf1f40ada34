import type { IncomingHttpHeaders } from 'node:http'
import { type Language, languageOf as languageOfTag } from '@coffer/contract/languages.ts'

/** Returns the language from the `X-Language` header, else from `Accept-Language`, else English. */
export function languageOf({ headers }: { headers: IncomingHttpHeaders }): Language {
  return languageOfTag(String(headers['x-language'] ?? headers['accept-language'] ?? ''))
}
