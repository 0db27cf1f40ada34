import type { ErrorName } from '@coffer/contract'
import { ZodError } from 'zod'
import { explainError } from '../../http/errors.ts'
import type { RefusalForm } from '../../http/wall.ts'

/** Errors as EPay has them, for both versions. */
const epay: RefusalForm = (error, request, reply) => {
  const { text } = explainError(error, request, reply)
  return reply.status(200).send({ code: -1, msg: text })
}

/**
 * Errors as epusdt and its kin have them: clients take another status than 200 for a gateway that is down, and read the
 * refusal in the body. Those of GMPay expect 400.
 */
const epusdt: RefusalForm = (error, request, reply) => {
  const { status, text } = explainError(error, request, reply)
  const refused = request.routeOptions.url?.includes('/payments/gmpay/') ? 400 : 200
  const isOurs = status >= 500 || status === 405 || status === 413
  return reply
    .status(isOurs ? status : refused)
    .send({ status_code: status, message: text, data: null, request_id: request.id })
}

/** What is missing, by the codes that clients of Greenfield know. */
const missingCodes: Partial<Record<ErrorName, string>> = {
  not_found: 'not-found',
  transaction_not_exist: 'invoice-not-found',
  link_not_valid: 'pullpayment-not-found',
  webhook_endpoint_not_exist: 'webhook-not-found',
  callback_not_exist: 'webhookdelivery-not-found',
}

/** Errors as Greenfield has them: a list of fields for 422, else a code and a message. */
const greenfield: RefusalForm = (error, request, reply) => {
  const { status, name, text, field, data } = explainError(error, request, reply)
  const { code: own, missingPermission } = (data ?? {}) as { code?: string; missingPermission?: string }
  const say = (status: number, code: string) => reply.status(status).send({ code, message: text })
  const missing = missingCodes[name]
  if (missing) return say(404, missing)
  if (own) return say(400, own)
  if (name === 'cannot_refund') return say(400, 'non-refundable')
  // Clients read every 403 as that of a permission.
  if (status === 403) return reply.status(403).send({ code: 'missing-permission', message: text, missingPermission })
  if (status === 401) return say(401, 'unauthenticated')
  if (status === 422 || status === 409 || error instanceof ZodError)
    return reply.status(422).send([{ path: field ?? '', message: text }])
  return say(status, name.replaceAll('_', '-'))
}

/** The words by which clients of Coinbase Commerce know kinds of errors. */
const coinbaseTypes: Record<number, string> = {
  401: 'authentication_error',
  404: 'not_found',
  429: 'rate_limit_exceeded',
  503: 'service_unavailable',
}

/** Errors as Coinbase Commerce has them. */
const coinbase: RefusalForm = (error, request, reply) => {
  const { status, text } = explainError(error, request, reply)
  const type = coinbaseTypes[status] ?? (status < 500 ? 'invalid_request' : 'internal_server_error')
  return reply.status(status === 409 || status === 422 ? 400 : status).send({ error: { type, message: text } })
}

/** How each protocol says that it refuses. */
export const refusalForms = { epay, epusdt, greenfield, coinbase }
