import type { ErrorName } from '@coffer/contract'
import type { Language } from '@coffer/contract/languages.ts'

interface Details {
  /** Replaces the catalogue text where it can name what was refused. */
  text?: Record<Language, string>
  /** Name of the invalid input field. */
  field?: string
  /** Appended to the text in parentheses. */
  detail?: Record<Language, string>
  /** Seconds after which a retry may succeed. */
  retryAfter?: number
  /** Sent as `data` of the answer, for a page to explain the refusal. */
  data?: unknown
}

/** An error of the catalogue. Commands throw it without changing anything; the HTTP layer turns it into a response. */
export class Refusal extends Error {
  readonly reason: ErrorName
  readonly text: Record<Language, string> | undefined
  readonly field: string | undefined
  readonly detail: Record<Language, string> | undefined
  readonly retryAfter: number | undefined
  readonly data: unknown
  constructor(reason: ErrorName, { text, field, detail, retryAfter, data }: Details = {}) {
    super(reason)
    this.name = 'Refusal'
    this.reason = reason
    this.text = text
    this.field = field
    this.detail = detail
    this.retryAfter = retryAfter
    this.data = data
  }
}

/** The detail of a refusal that names a field, and says what it may be. */
export const describeFieldRequirement = (field: string, en: string, zh: string): Record<Language, string> => ({
  en: `${field}: ${en}`,
  'zh-CN': `${field}：${zh}`,
})

/** The refusal of a field that says what it may be. */
export const createFieldRefusal = (field: string, en: string, zh: string): Refusal =>
  new Refusal('parameter_error', { field, detail: describeFieldRequirement(field, en, zh) })
