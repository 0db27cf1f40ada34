import { languages } from '@coffer/contract/languages.ts'
import { language } from '../i18n/language.ts'

/** The data of an answer, or why there is none: '' when the server did not answer. */
export type PublicApiAnswer<T> =
  | { ok: true; data: T }
  | { ok: false; message: string; field?: string; retryAfter?: number }

/** Sends a call that needs no account: without a body, to read. A `key` makes a repeated call have its first answer. */
export async function callPublicApi<T>(path: string, body?: object, key?: string): Promise<PublicApiAnswer<T>> {
  try {
    const response = await fetch(`/api/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        'X-Language': languages[language.get()].tag,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'Idempotency-Key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (answer.code === 200) return { ok: true, data: answer.data }
    return { ok: false, message: answer.msg, field: answer.field, retryAfter: answer.retry_after }
  } catch {
    return { ok: false, message: '' }
  }
}
