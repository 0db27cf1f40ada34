import type { ErrorName } from '@coffer/contract'
import type { Language } from '@coffer/contract/languages.ts'

interface Details {
  /** Name of the invalid input field. */
  field?: string
  /** Appended to the catalogue text in parentheses. */
  detail?: Record<Language, string>
  /** Seconds after which a retry may succeed. */
  retryAfter?: number
  /** Sent as `data` of the answer, for a page to explain the refusal. */
  data?: unknown
}

/** An error of the catalogue. Commands throw it without changing anything; the HTTP layer turns it into a response. */
export class Refusal extends Error {
  readonly reason: ErrorName
  readonly field: string | undefined
  readonly detail: Record<Language, string> | undefined
  readonly retryAfter: number | undefined
  readonly data: unknown
  constructor(reason: ErrorName, { field, detail, retryAfter, data }: Details = {}) {
    super(reason)
    this.name = 'Refusal'
    this.reason = reason
    this.field = field
    this.detail = detail
    this.retryAfter = retryAfter
    this.data = data
  }
}
