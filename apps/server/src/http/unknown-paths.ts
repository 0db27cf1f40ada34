import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../kit/refusal.ts'
import { answerError } from './errors.ts'

/** Answers a request that has no route. */
export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/**
 * Collects the calls under /api/ that are mounted from now on. The function returned refuses a request without a route: with 405 and `Allow`
 * where its path takes other methods, else with 404.
 */
export function refuseUnknown(app: FastifyInstance): AnswerUnknown {
  const paths = new Map<string, { parts: string[]; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.startsWith('/api/')) return
    const path = paths.get(url) ?? { parts: url.split('/'), methods: new Set() }
    for (const each of [method].flat()) path.methods.add(each)
    paths.set(url, path)
  })
  return (request, reply) => {
    const parts = request.url.split('?', 1)[0]!.split('/')
    const methods = [...paths.values()].flatMap(each => (isAt(each.parts, parts) ? [...each.methods] : []))
    if (methods.length === 0) return answerError(new Refusal('not_found'), request, reply)
    return answerError(
      new Refusal('method_not_allowed'),
      request,
      reply.header('allow', [...new Set(methods)].sort().join(', ')),
    )
  }
}

const isAt = (pattern: string[], parts: string[]) =>
  pattern.length === parts.length &&
  pattern.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
