import type { ErrorName } from '@coffer/contract'

/** A named "no" of the error catalogue. Commands throw it; the HTTP layer answers with it. Nothing was changed. */
export class Refusal extends Error {
  readonly reason: ErrorName
  readonly field: string | undefined
  constructor(reason: ErrorName, options: { field?: string } = {}) {
    super(reason)
    this.name = 'Refusal'
    this.reason = reason
    this.field = options.field
  }
}
