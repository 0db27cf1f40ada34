import { defineHandlers, noData } from '../../http/context.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { checkPayoutKey, hashBody, refuseKeyWithoutPayouts } from '../withdrawals/key-routes.ts'
import { createOncePerNumber } from '../withdrawals/once-per-number.ts'
import { claimRefund, quoteClaim, showClaim } from './claim-refund.ts'
import { cancelLink } from './end-link.ts'
import { linkByOutNo, linksOfPayment, listRefundLinks, readLink, readPromised, wireLink } from './link-store.ts'
import { makeRefundLink } from './make-link.ts'

/** Claim links of refunds: for the merchant, for the merchant's server, and for the payer. */
export const refundLinkHandlers = defineHandlers({
  'GET /api/v1/transactions/refund-link': async ({ deps, session, query }) => {
    const rows = await linksOfPayment(deps.pool, session.merchantId, query.trade_no)
    return { list: rows.map(row => wireLink(deps, row)) }
  },

  'GET /api/v1/transactions/refund-link-list': async ({ deps, session: { merchantId }, query }) => {
    const [answer, promised] = await Promise.all([
      pageAnswer(listRefundLinks(deps.pool, merchantId, query, pageOf(query)), row => ({
        ...wireLink(deps, row),
        out_trade_no: row.out_trade_no,
        title: row.title ?? '',
        apply_name: row.apply_name ?? '',
      })),
      readPromised(deps, merchantId),
    ])
    return { ...answer, promised }
  },

  'POST /api/v1/transactions/refund-link': async context => {
    const { deps, session, body } = context
    const { trade_no: tradeNo, gas_payer: gasPayer, reason = '', ...rest } = body
    const { merchantId } = session
    const id = await makeRefundLink(deps, { ...rest, tradeNo, gasPayer, reason, merchantId, from: context })
    return wireLink(deps, (await readLink(deps.pool, merchantId, id))!)
  },

  'POST /api/v1/transactions/refund-link/cancel': context => {
    const { deps, session, body } = context
    return noData(cancelLink(deps, { merchantId: session.merchantId, id: body.id, from: context }))
  },

  'POST /api/v1/pay/refund-links': async context => {
    const { deps, holder, body } = context
    const { out_no: outNo, trade_no: tradeNo, gas_payer: gasPayer, basis = 'token', reason = '', ...rest } = body
    const { merchantId, appid } = holder
    const byKey = { appid, outNo, bodyHash: hashBody(body) }
    const request = { ...rest, merchantId, byKey, tradeNo, gasPayer, basis, reason, from: context }
    const id = await createOncePerNumber(deps, linkByOutNo, merchantId, byKey, async () => {
      await checkPayoutKey(deps, holder)
      return makeRefundLink(deps, request)
    })
    return wireLink(deps, (await readLink(deps.pool, merchantId, id))!)
  },

  'GET /api/v1/pay/refund-links/:id': async ({ deps, holder: { merchantId, appid }, params }) => {
    const row = await readLink(deps.pool, merchantId, params.id)
    if (row?.appid !== appid) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    return wireLink(deps, row)
  },

  'POST /api/v1/pay/refund-links/:id/cancel': async context => {
    const { deps, holder, params } = context
    refuseKeyWithoutPayouts(holder)
    const { merchantId, appid } = holder
    await cancelLink(deps, { merchantId, appid, id: params.id, from: context })
    return wireLink(deps, (await readLink(deps.pool, merchantId, params.id))!)
  },

  'POST /api/v1/public/refund-claim': context => showClaim(context.deps, context.body.token, context),

  'POST /api/v1/public/refund-claim/quote': context => {
    const { asset_id: assetId, ...rest } = context.body
    return quoteClaim(context.deps, { ...rest, assetId, language: context.language, from: context })
  },

  'POST /api/v1/public/refund-claim/confirm': async context => {
    const { deps, body } = context
    const { asset_id: assetId, ...rest } = body
    await claimRefund(deps, { ...rest, assetId, from: context })
    return showClaim(deps, body.token, context)
  },
})
