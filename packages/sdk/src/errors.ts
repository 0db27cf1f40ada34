/** Codes that a program is likely to tell apart; every answer carries one, and a text for a person. */
export const errorCodes = {
  parameter_error: 10002,
  currency_not_supported: 10004,
  no_address_available: 10005,
  transaction_not_exist: 10006,
  frequent_operation: 10010,
  amount_too_small: 10022,
  bad_amount: 10048,
  bad_trade_no: 10051,
  order_conflict: 10056,
  idempotency_conflict: 10057,
  idempotency_in_flight: 10058,
  price_unavailable: 10059,
  transaction_cannot_close: 10060,
  application_disabled: 10061,
  account_frozen: 10063,
  merchant_not_open: 10064,
  ip_not_allowed: 10065,
  chain_unavailable: 10074,
  amount_too_large: 10075,
  bad_key: 10076,
} as const

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
