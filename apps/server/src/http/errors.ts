import { type ErrorName, errors } from '@coffer/contract'
import type { Language } from '@coffer/contract/languages.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ZodError } from 'zod'
import { isConnectionLost, isOverload } from '../kit/database-problem.ts'
import { languageOf } from '../kit/language.ts'
import { logLoss } from '../kit/log-loss.ts'
import { Refusal } from '../kit/refusal.ts'
import { describeBadInput, jsonBodyHint } from './describe-bad-input.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route belongs to the pages of the back-office, whose forms name their fields themselves. */
    forPeople?: boolean
  }
}

/** Seconds after which a refusal as `busy`, and one for any other outage, may be retried. */
const busySeconds = 2
const outageSeconds = 5

/**
 * Turns any error into an answer. Logs internal errors, and statements that failed for lack of time or of a connection.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, code, text, field, retryAfter, data } = explainError(error, request, reply)
  return reply.status(status).send({
    code,
    msg: text,
    ...(field !== undefined && { field }),
    ...(retryAfter > 0 && { retry_after: retryAfter }),
    ...(data !== undefined && { data }),
  })
}

/**
 * Says what an error is to the caller, and logs as `answerError` does: for answers in a form of their own. Sets
 * Retry-After.
 */
export function explainError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { name, says, field, detail, data, ...rest } = classifyRequestError(error, request)
  const { code, status } = errors[name]
  const waits = name === 'busy' ? busySeconds : status === 503 ? outageSeconds : 0
  const retryAfter = rest.retryAfter ?? Number(reply.getHeader('retry-after') ?? waits)
  request.refusal = name
  if (name === 'internal') request.log.error({ err: error }, 'request failed')
  if (name === 'busy' && !(error instanceof Refusal) && !logLoss(request.log, error))
    request.log.warn({ err: error }, 'refused as busy')
  const language = languageOf(request)
  const more = retryAfter > 0 ? tryAgain(retryAfter, detail) : detail
  if (retryAfter > 0) void reply.header('retry-after', retryAfter)
  void reply.header('cache-control', 'no-store')
  return { status, code, name, text: formatRefusalText(name, language, more, says), field, retryAfter, data }
}

const parentheses: Record<Language, [string, string]> = { en: [' (', ')'], 'zh-CN': ['（', '）'] }

/** Returns the text of an error, or another one for it, with the detail in parentheses. */
export const formatRefusalText = (
  name: ErrorName,
  language: Language,
  detail?: Record<Language, string>,
  text: Record<Language, string> = errors[name],
): string => text[language] + (detail ? parentheses[language].join(detail[language]) : '')

/** Appends to the detail when a person may try again: in seconds up to two minutes, then in minutes. */
function tryAgain(seconds: number, detail?: Record<Language, string>): Record<Language, string> {
  const isSoon = seconds <= 120
  const wait = isSoon ? seconds : Math.ceil(seconds / 60)
  return {
    en: `${detail ? `${detail.en}; ` : ''}try again in ${wait} ${isSoon ? 's' : 'min'}`,
    'zh-CN': `${detail ? `${detail['zh-CN']}，` : ''}请 ${wait} ${isSoon ? '秒' : '分钟'}后重试`,
  }
}

interface Named {
  name: ErrorName
  says?: Record<Language, string> | undefined
  field?: string | undefined
  detail?: Record<Language, string> | undefined
  retryAfter?: number | undefined
  data?: unknown
}

/** Names the error of the catalogue that any error of a request means. */
export function classifyRequestError(error: unknown, { routeOptions }: FastifyRequest): Named {
  if (error instanceof Refusal) {
    const { reason: name, text: says, field, detail, retryAfter, data } = error
    return { name, says, field, detail, retryAfter, data }
  }
  if (error instanceof ZodError) return describeBadInput(error, routeOptions.config.forPeople === true)
  const status = (error as FastifyError).statusCode
  if (status === 414) return { name: 'not_found' }
  if (status === 413) return { name: 'body_too_large' }
  if (status === 429) return { name: 'frequent_operation' }
  if ((error as FastifyError).code === 'FST_ERR_BAD_URL') return { name: 'parameter_error' }
  if (status === 415 || status === 400) return { name: 'parameter_error', field: 'body', detail: jsonBodyHint }
  if (isOverload(error) || isConnectionLost(error)) return { name: 'busy' }
  return { name: 'internal' }
}
