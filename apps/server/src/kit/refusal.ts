import type { ErrorName } from '@coffer/contract'
import type { Language } from '@coffer/contract/languages.ts'

interface Details {
  /** The input that was refused. */
  field?: string
  /** Said after the text of the catalogue, in parentheses. */
  detail?: Record<Language, string>
  /** Seconds after which the same may succeed. */
  retryAfter?: number
}

/** A named "no" of the error catalogue. Commands throw it; the HTTP layer answers with it. Nothing was changed. */
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
