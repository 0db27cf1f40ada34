import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '../../../kit/language.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import type { ShopRequestHandler } from '../serve.ts'
import type { ShopCaller } from '../use-connection.ts'
import type { BtcpayPermission } from './permissions.ts'

type Work = (
  caller: ShopCaller & { key: string; from: Visitor },
  params: Record<string, string>,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<unknown>

/** Makes the handler of a call whose key has been checked, with the permission that it needs, if any. */
export type CreateBtcpayHandler = (needed: BtcpayPermission | null, work: Work) => ShopRequestHandler

/** Where the request of a shop comes from. */
export const toShopVisitor = (request: FastifyRequest): Visitor => ({
  ip: request.ip,
  device: String(request.headers['user-agent'] ?? '').slice(0, 300),
  language: languageOf(request),
})
