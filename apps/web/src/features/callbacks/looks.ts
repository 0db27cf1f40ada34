import type { Data } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'

export type Callback = Data<'GET /api/v1/callback/list'>['list'][number]

/** What an attempt got, in words: an HTTP status as it is, a failure by its name. */
export const resultText = (result: string, t: Messages<'callbacks'>): string => t.failures[result] ?? result

/** The body of a callback, one field a line. Text that is no JSON stays as it is. */
export function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
