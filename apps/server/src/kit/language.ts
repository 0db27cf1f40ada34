import type { IncomingHttpHeaders } from 'node:http'
import type { Language } from '@coffer/contract'

/** Returns the language of the `X-Language` header, else of `Accept-Language`, else English. */
export function languageOf({ headers }: { headers: IncomingHttpHeaders }): Language {
  const asked = String(headers['x-language'] ?? headers['accept-language'] ?? '')
  return asked.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en-US'
}
