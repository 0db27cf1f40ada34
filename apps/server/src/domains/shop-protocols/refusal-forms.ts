import { ZodError } from 'zod'
import { explain } from '../../http/errors.ts'
import type { RefusalForm } from '../../http/wall.ts'

/** Errors as EPay has them, for both versions. */
const epay: RefusalForm = (error, request, reply) => {
  const { text } = explain(error, request, reply)
  return reply.status(200).send({ code: -1, msg: text })
}

/**
 * Errors as epusdt and its kin have them: clients take another status than 200 for a gateway that is down, and read the refusal in the body.
 * Those of GMPay expect 400.
 */
const epusdt: RefusalForm = (error, request, reply) => {
  const { status, text } = explain(error, request, reply)
  const refused = request.routeOptions.url?.includes('/payments/gmpay/') ? 400 : 200
  const isOurs = status >= 500 || status === 405 || status === 413
  return reply
    .status(isOurs ? status : refused)
    .send({ status_code: status, message: text, data: null, request_id: request.id })
}

/** Errors as Greenfield has them: a list of fields for 422, else a code and a message. */
const greenfield: RefusalForm = (error, request, reply) => {
  const { status, name, text, field, data } = explain(error, request, reply)
  const missing = new Map([
    ['callback_not_exist', 'webhook-not-found'],
    ['not_found', 'not-found'],
  ]).get(name)
  if (missing) return reply.status(404).send({ code: missing, message: text })
  if (status === 422 || status === 409 || error instanceof ZodError)
    return reply.status(422).send([{ path: field ?? '', message: text }])
  const code = { 401: 'unauthenticated', 403: 'missing-permission', 404: 'invoice-not-found' }[status] ?? name
  return reply.status(status).send({ code, message: text, ...(data as object | undefined) })
}

/** The words by which clients of Coinbase Commerce know kinds of errors. */
const coinbaseTypes: Record<number, string> = {
  401: 'authentication_error',
  404: 'not_found',
  429: 'rate_limit_exceeded',
}

/** Errors as Coinbase Commerce has them. */
const coinbase: RefusalForm = (error, request, reply) => {
  const { status, text } = explain(error, request, reply)
  const type = coinbaseTypes[status] ?? (status < 500 ? 'invalid_request' : 'internal_server_error')
  return reply.status(status === 409 || status === 422 ? 400 : status).send({ error: { type, message: text } })
}

/** How each protocol says that it refuses. */
export const refusalForms = { epay, epusdt, greenfield, coinbase }
