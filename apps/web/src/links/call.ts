import { languages } from '@coffer/contract/languages.ts'
import { language } from '../i18n/language.ts'

/** The data of an answer, or why there is none: '' when the server did not answer. */
export type Answer<T> = { ok: true; data: T } | { ok: false; message: string; field?: string; retryAfter?: number }

/** Calls a public route of these pages. */
export async function call<T>(path: string, body: object): Promise<Answer<T>> {
  try {
    const response = await fetch(`/api/v1/public/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Language': languages[language.get()].tag },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (answer.code === 200) return { ok: true, data: answer.data }
    return { ok: false, message: answer.msg, field: answer.field, retryAfter: answer.retry_after }
  } catch {
    return { ok: false, message: '' }
  }
}
