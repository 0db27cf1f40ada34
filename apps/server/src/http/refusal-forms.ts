import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerError, explainError } from './errors.ts'
import type { RefusalForms } from './wall.ts'

const escaped = (text: string) => text.replace(/[&<>"]/g, each => `&#${each.charCodeAt(0)};`)

/** A refusal for people, as a page without anything to load. */
function page(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, text } = explainError(error, request, reply)
  return reply
    .status(status)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Coffer</title><p>${escaped(text)}</p>`,
    )
}

/** An error of JSON-RPC 2.0 (section 5.1), about a request whose id is not known. */
function mcp(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, text } = explainError(error, request, reply)
  return reply.status(status).send({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: text } })
}

/** Forms of refusals that belong to no domain. */
export const commonForms = { envelope: answerError, page, mcp } satisfies Partial<RefusalForms>
