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
  readonly request_id: string | undefined

  /** Seconds after which the server takes the call again, if it says so. */
  readonly retry_after: number | undefined

  constructor(
    msg: string,
    about: {
      code?: number | undefined
      field?: string | undefined
      status?: number | undefined
      request_id?: string | undefined
      retry_after?: number | undefined
      cause?: unknown
    } = {},
  ) {
    super(msg, about.cause === undefined ? undefined : { cause: about.cause })
    this.name = 'CofferError'
    this.msg = msg
    this.code = about.code ?? 0
    this.field = about.field
    this.status = about.status ?? 0
    this.request_id = about.request_id
    this.retry_after = about.retry_after
  }
}
