/** A call failed: the service refused it, or there was no response (`status` is 0, and `cause` has the reason). */
export class CofferError extends Error {
  /** The error code; 0 if there was no valid response. */
  readonly code: number
  /** A message for people, in the client's language. */
  readonly msg: string
  /** The name of the invalid input, if any. */
  readonly field: string | undefined
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /** Identifies the request in the server's log. */
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
