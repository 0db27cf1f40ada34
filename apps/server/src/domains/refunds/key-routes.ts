import { defineHandlers } from '../../http/context.ts'
import { cursorAnswer } from '../../kit/cursor.ts'
import { Refusal } from '../../kit/refusal.ts'
import { checkPayoutKey, findPayoutId, hashBody } from '../withdrawals/key-routes.ts'
import { createOncePerNumber } from '../withdrawals/once-per-number.ts'
import { cancelRefund } from './cancel-refund.ts'
import { listRefunds, readRefund, refundFile } from './list.ts'
import { serializeRefund } from './notify.ts'
import { requestRefund } from './request-refund.ts'
import { refundByOutNo } from './store.ts'

/** Refunds in the merchant API. Each key refunds and sees the orders of its own application. */
export const refundKeyHandlers = defineHandlers({
  'POST /api/v1/pay/refunds': async context => {
    const { deps, holder, body } = context
    const { out_no: outNo, trade_no: tradeNo, gas_payer: gasPayer, basis = 'token', reason = '', ...rest } = body
    const { merchantId, appid, recheck } = holder
    const byKey = { appid, outNo, bodyHash: hashBody(body), recheck }
    const request = { ...rest, merchantId, byKey, tradeNo, gasPayer, basis, reason, from: context }
    const id = await createOncePerNumber(deps, refundByOutNo, merchantId, byKey, async () => {
      await checkPayoutKey(deps, holder)
      return requestRefund(deps, request)
    })
    return serializeRefund((await readRefund(deps.pool, merchantId, id))!)
  },

  'GET /api/v1/pay/refunds': async ({ deps, holder: { merchantId, appid }, query }) => {
    const { out_no, ...rest } = query
    const id = out_no && (await refundByOutNo(deps.pool, merchantId, appid, out_no))?.id
    if (out_no && !id) return { list: [], total: 0, next_cursor: '' }
    const filter = { ...rest, appid, ...(id && { id }) }
    const list = { page: listRefunds, next: refundFile.next }
    return cursorAnswer(deps.pool, list, { merchantId, filter }, query, serializeRefund, row => row.created_at)
  },

  'GET /api/v1/pay/refunds/:id': async ({ deps: { pool }, holder: { merchantId, appid }, params }) => {
    const id = await findPayoutId(outNo => refundByOutNo(pool, merchantId, appid, outNo), params.id)
    const row = await readRefund(pool, merchantId, id)
    if (row?.appid !== appid) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    return serializeRefund(row)
  },

  'POST /api/v1/pay/refunds/:id/cancel': async context => {
    const { deps, holder, params } = context
    const { merchantId, appid, recheck } = holder
    await cancelRefund(deps, { merchantId, appid, id: params.id, from: context, recheck })
    return serializeRefund((await readRefund(deps.pool, merchantId, params.id))!)
  },
})
