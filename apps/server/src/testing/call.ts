import assert from 'node:assert/strict'
import {
  type Language,
  type RouteBody,
  type RouteData,
  type RouteDefinition,
  type RouteKey,
  type RouteQuery,
  routes,
} from '@coffer/contract'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import type { Deps } from '../deps.ts'
import { ownerOf } from './members.ts'

interface Given<K extends RouteKey> {
  query?: RouteQuery<K>
  body?: RouteBody<K>
  language?: Language
  /** Who calls; by default who opened the shop. */
  by?: { personId: string; role: MerchantRole }
}

/**
 * Calls a handler for a signed-in merchant as the server does: parses the input by the contract, and asserts that the
 * output matches it exactly.
 */
export async function call<K extends RouteKey>(
  handlers: { [key in K]: (context: never) => Promise<unknown> },
  key: K,
  deps: Deps,
  merchantId: string,
  given: Given<K> = {},
): Promise<RouteData<K>> {
  const route: RouteDefinition = routes[key]
  const context = {
    deps,
    session: {
      id: '',
      ...(given.by ?? ownerOf(merchantId)),
      merchantId,
      tokenHash: Buffer.alloc(32),
      name: '',
    },
    query: route.query?.parse(given.query ?? {}),
    body: route.body?.parse(given.body),
    language: given.language ?? 'en',
    ip: '203.0.113.7',
    device: 'test',
  }
  const answer = JSON.parse(JSON.stringify(await handlers[key](context as never)))
  assert.deepEqual(routes[key].data.parse(answer), answer)
  return answer as RouteData<K>
}
