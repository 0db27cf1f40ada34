import { type ErrorName, errors } from '@coffer/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { languageOf } from '../kit/language.ts'
import { Refusal } from '../kit/refusal.ts'

/** Turns any error into an answer. Internal errors are logged. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { name, field, detail } = named(error)
  if (name === 'internal') request.log.error({ err: error }, 'request failed')
  const { code, status } = errors[name]
  const text = errors[name][languageOf(request)]
  return reply
    .status(status)
    .send({ code, msg: detail ? `${text} (${detail})` : text, ...(field === undefined ? {} : { field }) })
}

function named(error: unknown): { name: ErrorName; field?: string | undefined; detail?: string | undefined } {
  if (error instanceof Refusal) return { name: error.reason, field: error.field }
  if (error instanceof ZodError) return fromZod(error)
  const status = (error as FastifyError).statusCode
  if (status === 414) return { name: 'not_found' }
  if (status === 413) return { name: 'body_too_large' }
  if (status === 429) return { name: 'frequent_operation' }
  if (status === 415 || status === 400) return { name: 'parameter_error' }
  if ((error as { code?: string }).code === '57014') return { name: 'busy' }
  return { name: 'internal' }
}

/** The first issue. Our schemas use a name of the error catalogue as zod message. */
function fromZod(error: ZodError) {
  let issue = error.issues[0]
  while (issue?.code === 'invalid_union' && issue.errors[0]?.[0]) issue = issue.errors[0][0]
  const path = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : (issue?.path ?? [])
  const field = path.map(String).join('.')
  const message = issue?.message ?? ''
  return message in errors
    ? { name: message as ErrorName, field }
    : { name: 'parameter_error' as const, field, detail: field }
}
