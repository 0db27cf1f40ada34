import type { OperatorData, OperatorKey, OperatorParsed, OperatorRoutes } from '@coffer/contract/operator/index.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { OperatorSession } from '../operators/sessions.ts'

type Who<K extends OperatorKey> = OperatorRoutes[K]['auth'] extends 'public' ? unknown : { operator: OperatorSession }

/** Input of a handler of the console: its call, the parsed request and the operator. */
export type ConsoleContext<K extends OperatorKey = OperatorKey> = Visitor &
  Who<K> & {
    call: K
    deps: Deps
    request: FastifyRequest
    reply: FastifyReply
    deviceToken: string | undefined
    query: OperatorParsed<K, 'query'>
    body: OperatorParsed<K, 'body'>
    params: OperatorParsed<K, 'params'>
  }

export type ConsoleHandlers<K extends OperatorKey = OperatorKey> = {
  [key in K]: (context: ConsoleContext<key>) => Promise<OperatorData<key>>
}

/** Type-checks a group of handlers against the contract. */
export const defineConsoleHandlers = <T extends Partial<ConsoleHandlers>>(handlers: T): T => handlers
