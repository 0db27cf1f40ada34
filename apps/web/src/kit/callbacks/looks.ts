import type { RouteData } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'

export type Callback = RouteData<'GET /api/v1/callback/list'>['list'][number]

/** The text of an attempt's result: an HTTP status unchanged, a failure translated. */
export const formatAttemptResult = (result: string, t: Messages<'callbacks'>): string => t.failures[result] ?? result

/** Pretty-prints a callback's body; text that is not JSON is unchanged. */
export function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
