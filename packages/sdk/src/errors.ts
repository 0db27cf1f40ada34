/** A call that did not succeed: a refusal (it names what), or no answer at all (`status` 0, the reason is in `cause`). */
export class CofferError extends Error {
  /** The code of the error catalogue; 0 when there was no answer of the service. */
  readonly code: number
  /** What a person may read. */
  readonly msg: string
  /** The input that was refused, if one was. */
  readonly field: string | undefined
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number
  /** Names the request in the service's log. */
  readonly requestId: string | undefined

  constructor(
    msg: string,
    about: {
      code?: number | undefined
      field?: string | undefined
      status?: number | undefined
      requestId?: string | undefined
      cause?: unknown
    } = {},
  ) {
    super(msg, about.cause === undefined ? undefined : { cause: about.cause })
    this.name = 'CofferError'
    this.msg = msg
    this.code = about.code ?? 0
    this.field = about.field
    this.status = about.status ?? 0
    this.requestId = about.requestId
  }
}
