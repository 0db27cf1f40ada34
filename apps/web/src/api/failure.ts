/** The server answered with a code other than 200. */
export class RequestRefused extends Error {
  override name = 'RequestRefused'
  readonly status: number
  readonly code: number
  readonly field: string | undefined
  constructor(status: number, code: number, message: string, field?: string) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
  }
}

/**
 * `duplicate`: the same URL is in flight; `retrying`: it is being retried after a timeout; `timeout`: every attempt
 * timed out; `network`: no connection; `aborted`: the caller aborted.
 */
export type UnansweredReason = 'duplicate' | 'retrying' | 'timeout' | 'network' | 'aborted'

/** No response: the call was rejected locally or lost. */
export class RequestUnanswered extends Error {
  override name = 'RequestUnanswered'
  readonly reason: UnansweredReason
  constructor(reason: UnansweredReason) {
    super(reason)
    this.reason = reason
  }
}
