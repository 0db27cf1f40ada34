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
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.startsWith('/api/')) return
    const path = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const each of [method].flat()) path.methods.add(each)
    paths.set(url, path)
  })
  return (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const methods = [...paths.values()].flatMap(each => (each.pattern.test(path) ? [...each.methods] : []))
    if (methods.length === 0) return answerError(new Refusal('not_found'), request, reply)
    return answerError(
      new Refusal('method_not_allowed'),
      request,
      reply.header('allow', [...new Set(methods)].sort().join(', ')),
    )
  }
}

const patternOf = (url: string) => new RegExp(`^${url.replace(/[.+*]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
