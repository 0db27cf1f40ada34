import type { FastifyReply, FastifyRequest } from 'fastify'
import { explain } from '../../http/errors.ts'
import type { ShopCaller } from './use-connection.ts'

/** Runs the work of a shop within the limits that a key of the public API has. */
export type Serve = <T>(caller: ShopCaller, work: () => Promise<T>) => Promise<T>

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Makes handlers whose errors are answered in the form of a protocol. */
export const answerAs =
  (answer: (reply: FastifyReply, text: string, status: number) => FastifyReply) =>
  (handler: Handler): Handler =>
  async (request, reply) => {
    try {
      return await handler(request, reply)
    } catch (error) {
      const { status, text } = explain(error, request, reply)
      return answer(reply, text, status)
    }
  }

/** Makes handlers whose errors are answered with a page, for people. */
export const asPage = answerAs((reply, text, status) =>
  reply.status(status).type('text/html; charset=utf-8').send(errorPage(text)),
)

const errorPage = (text: string) =>
  `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Coffer</title><p>${text.replace(
    /[&<>"]/g,
    each => `&#${each.charCodeAt(0)};`,
  )}</p>`
