import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ShopCaller } from './use-connection.ts'

/** Runs the work of a shop within the limits that a key of the public API has. */
export type Serve = <T>(caller: ShopCaller, work: () => Promise<T>) => Promise<T>

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
