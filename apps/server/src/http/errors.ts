import { type ErrorName, errors } from '@coffer/contract'
import type { Language } from '@coffer/contract/languages.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { isOverload } from '../kit/database-problem.ts'
import { languageOf } from '../kit/language.ts'
import { Refusal } from '../kit/refusal.ts'

/** Seconds after which a refusal as `busy` may be retried. */
const busySeconds = 2

/** Turns any error into an answer. Internal errors are logged, and statements that failed for lack of time or connections. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { name, field, detail, ...rest } = named(error)
  const retryAfter = rest.retryAfter ?? Number(reply.getHeader('retry-after') ?? (name === 'busy' ? busySeconds : 0))
  request.refusal = name
  if (name === 'internal') request.log.error({ err: error }, 'request failed')
  if (name === 'busy' && !(error instanceof Refusal)) request.log.warn({ err: error }, 'refused as busy')
  const { code, status } = errors[name]
  const language = languageOf(request)
  const text = errors[name][language]
  const more = retryAfter > 0 ? tryAgain(retryAfter)[language] : typeof detail === 'object' ? detail[language] : detail
  if (retryAfter > 0) void reply.header('retry-after', retryAfter)
  return reply.status(status).send({
    code,
    msg: more ? `${text} (${more})` : text,
    ...(field !== undefined && { field }),
    ...(retryAfter > 0 && { retry_after: retryAfter }),
  })
}

/** When a person may try again: in seconds up to two minutes, then in minutes. */
function tryAgain(seconds: number): Record<Language, string> {
  const minutes = Math.ceil(seconds / 60)
  return seconds <= 120
    ? { en: `try again in ${seconds} s`, 'zh-CN': `请 ${seconds} 秒后重试` }
    : { en: `try again in ${minutes} min`, 'zh-CN': `请 ${minutes} 分钟后重试` }
}

interface Named {
  name: ErrorName
  field?: string | undefined
  detail?: string | Record<Language, string> | undefined
  retryAfter?: number | undefined
}

function named(error: unknown): Named {
  if (error instanceof Refusal) {
    const { reason: name, field, detail, retryAfter } = error
    return { name, field, detail, retryAfter }
  }
  if (error instanceof ZodError) return fromZod(error)
  const status = (error as FastifyError).statusCode
  if (status === 414) return { name: 'not_found' }
  if (status === 413) return { name: 'body_too_large' }
  if (status === 429) return { name: 'frequent_operation' }
  if (status === 415 || status === 400) return { name: 'parameter_error' }
  if (isOverload(error)) return { name: 'busy' }
  return { name: 'internal' }
}

/** The first issue. Our schemas use a name of the error catalogue as zod message. */
function fromZod(error: ZodError) {
  let issue = error.issues[0]
  while (issue?.code === 'invalid_union' && issue.errors[0]?.[0]) {
    const [inner] = issue.errors[0]
    issue = { ...inner, path: [...issue.path, ...inner.path] }
  }
  const path = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : (issue?.path ?? [])
  const field = path.map(String).join('.')
  const message = issue?.message ?? ''
  return message in errors
    ? { name: message as ErrorName, field }
    : { name: 'parameter_error' as const, field, detail: field }
}
