import { defineHandlers, toEmptyAnswer } from '../../http/context.ts'
import { connectShop, disconnectShop, renewShopKey } from './connect.ts'
import { presentConnection, presentRefusal } from './present.ts'
import { computeRefusalsSince } from './record-shop-refusals.ts'
import { listConnections, listRefusals } from './store.ts'
import { createTestOrder } from './test-order.ts'

/** Back-office handlers for connected shops. */
export const shopHandlers = defineHandlers({
  'GET /api/v1/user/shop/list': async ({ deps, session: { merchantId }, query: { appid }, language }) => {
    const refusals = await listRefusals(deps.pool, merchantId, appid, computeRefusalsSince(deps))
    const list = (await listConnections(deps.pool, merchantId, appid)).map(row => ({
      ...presentConnection(deps, row),
      refusals: refusals.filter(each => each.connection === row.id).map(each => presentRefusal(each, language)),
    }))
    return { list }
  },

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
    return toEmptyAnswer(disconnectShop(deps, { ...body, merchantId: session.merchantId, from: context }))
  },
})
