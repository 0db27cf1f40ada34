import { defineHandlers, noData } from '../../http/context.ts'
import { connectShop, disconnectShop, renewShopKey } from './connect.ts'
import { presentConnection } from './present.ts'
import { listConnections } from './store.ts'
import { createTestOrder } from './test-order.ts'

/** Back-office handlers for connected shops. */
export const shopHandlers = defineHandlers({
  'GET /api/v1/user/shop/list': async ({ deps, session, query: { appid } }) => ({
    list: (await listConnections(deps.pool, session.merchantId, appid)).map(row => presentConnection(deps, row)),
  }),

  'POST /api/v1/user/shop': context => {
    const { deps, body, session } = context
    return connectShop(deps, { ...body, merchantId: session.merchantId, from: context })
  },

  'PUT /api/v1/user/shop/key': context => {
    const { deps, body, session } = context
    const { keep_seconds: keepSeconds, ...rest } = body
    return renewShopKey(deps, { ...rest, keepSeconds, merchantId: session.merchantId, from: context })
  },

  'POST /api/v1/user/shop/test': ({ deps, body, session: { merchantId } }) =>
    createTestOrder(deps, { ...body, merchantId }),

  'DELETE /api/v1/user/shop': context => {
    const { deps, body, session } = context
    return noData(disconnectShop(deps, { ...body, merchantId: session.merchantId, from: context }))
  },
})
