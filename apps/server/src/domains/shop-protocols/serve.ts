import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ShopCaller } from './use-connection.ts'

/**
 * Runs the work of a shop within the limits that a key of the public API has. `order` is the number of an order that is
 * created: its payer may hold the request and send it again, which has a limit of its own and takes no turns of the
 * shop's other customers.
 */
export type ServeShopRequest = <T>(caller: ShopCaller, work: () => Promise<T>, order?: string) => Promise<T>

export type ShopRequestHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
