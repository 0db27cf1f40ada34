import type { ErrorName } from '@coffer/contract'
import type { Language } from '@coffer/contract/languages.ts'

interface Details {
  /** Name of the invalid input field. */
  field?: string
  /** Appended to the catalogue text in parentheses. */
  detail?: Record<Language, string>
  /** Seconds after which a retry may succeed. */
  retryAfter?: number
}

/** An error of the catalogue. Commands throw it without changing anything; the HTTP layer turns it into a response. */
export class Refusal extends Error {
  readonly reason: ErrorName
  readonly field: string | undefined
  readonly detail: Record<Language, string> | undefined
  readonly retryAfter: number | undefined
  constructor(reason: ErrorName, { field, detail, retryAfter }: Details = {}) {
    super(reason)
    this.name = 'Refusal'
    this.reason = reason
    this.field = field
    this.detail = detail
    this.retryAfter = retryAfter
  }
}
