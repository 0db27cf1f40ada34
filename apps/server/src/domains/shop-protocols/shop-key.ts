import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { networkKey } from '../../kit/visitor.ts'
import { findShopConnectionByKey } from './use-connection.ts'

type Keyed = Awaited<ReturnType<typeof findShopConnectionByKey>>

const found = new WeakMap<FastifyRequest, Keyed>()

/** Has the shops that send a key known before their bodies are read: on routes whose row asks for one. */
export function authenticateShops(scope: FastifyInstance, deps: Deps): void {
  scope.addHook('preParsing', async request => {
    if (request.routeOptions.config.door?.who !== 'shop') return
    const find = () => findShopConnectionByKey(deps, { ...keyOf(request), request })
    found.set(request, await scope.gates.shops.run(networkKey(request.ip), find))
  })
}

/** The shop whose key came with a request. */
export const getRequestShop = (request: FastifyRequest): Keyed => found.get(request)!

function keyOf({ headers, routeOptions }: FastifyRequest) {
  if (routeOptions.config.door?.refusal === 'coinbase')
    return { key: String(headers['x-cc-api-key'] ?? ''), protocol: 'coinbase', field: 'X-CC-Api-Key' } as const
  const [, key = ''] = /^token (\w{32})$/i.exec(headers.authorization ?? '') ?? []
  return { key, protocol: 'btcpay', field: 'Authorization' } as const
}
