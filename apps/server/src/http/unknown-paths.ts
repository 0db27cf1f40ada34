import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../kit/refusal.ts'
import { answerError } from './errors.ts'

/** Answers a request that has no route; `usual` answers where no path fits. */
export type AnswerUnknown = (
  request: FastifyRequest,
  reply: FastifyReply,
  usual?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
) => FastifyReply

/** Refuses a request without a route: with 405 and `Allow` where its path takes other methods, else with 404. */
export const refuseUnknown =
  (app: FastifyInstance): AnswerUnknown =>
  (request, reply, usual) => {
    const parts = request.url.split('?', 1)[0]!.split('/')
    const found = app.doors.filter(({ url }) => isAt(url.split('/'), parts))
    const methods = [...new Set(found.map(({ method }) => method))]
    if (methods.length === 0 || methods.includes(request.method))
      return usual?.(request, reply) ?? answerError(new Refusal('not_found'), request, reply)
    const form = app.refusalForms[found[0]!.door.refusal] ?? answerError
    return form(new Refusal('method_not_allowed'), request, reply.header('allow', methods.sort().join(', ')))
  }

const isAt = (pattern: string[], parts: string[]) =>
  pattern.length === parts.length &&
  pattern.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
