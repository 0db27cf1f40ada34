import type { Deps } from '../../deps.ts'
import { defineHandlers, type Session, toEmptyAnswer } from '../../http/context.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { checkPayoutKey, hashBody } from '../withdrawals/key-routes.ts'
import { createOncePerNumber } from '../withdrawals/once-per-number.ts'
import { claimRefund, quoteRefundClaim, readRefundClaim } from './claim-refund.ts'
import { cancelUnclaimedRefundLink } from './end-link.ts'
import {
  linksOfPayment,
  listRefundLinks,
  mayReadLinkAddress,
  readPromisedRefunds,
  readRefundLink,
  refundLinkByOutNo,
  type StoredRefundLink,
  serializeRefundLink,
} from './link-store.ts'
import { makeRefundLink } from './make-link.ts'

/** A link as a member sees it. */
const presentLink = (deps: Deps, session: Session, row: StoredRefundLink) =>
  serializeRefundLink(deps, row, { mayClaim: mayReadLinkAddress(session, row) })

/** Claim links of refunds: for the merchant, for the merchant's server, and for the payer. */
export const refundLinkHandlers = defineHandlers({
  'GET /api/v1/transactions/refund-link': async ({ deps, session, query }) => {
    const rows = await linksOfPayment(deps.pool, session.merchantId, query.trade_no)
    return { list: rows.map(row => presentLink(deps, session, row)) }
  },

  'GET /api/v1/transactions/refund-link-list': async ({ deps, session, query }) => {
    const { merchantId } = session
    const [answer, promised] = await Promise.all([
      pageAnswer(listRefundLinks(deps.pool, merchantId, query, pageOf(query)), row => ({
        ...presentLink(deps, session, row),
        out_trade_no: row.out_trade_no,
        title: row.title ?? '',
        apply_name: row.apply_name ?? '',
      })),
      readPromisedRefunds(deps, merchantId),
    ])
    return { ...answer, promised }
  },

  'POST /api/v1/transactions/refund-link': async context => {
    const { deps, session, body } = context
    const { trade_no: tradeNo, gas_payer: gasPayer, reason = '', ...rest } = body
    const { merchantId } = session
    const id = await makeRefundLink(deps, { ...rest, tradeNo, gasPayer, reason, merchantId, from: context })
    return presentLink(deps, session, (await readRefundLink(deps.pool, merchantId, id))!)
  },

  'POST /api/v1/transactions/refund-link/cancel': context => {
    const { deps, session, body } = context
    return toEmptyAnswer(
      cancelUnclaimedRefundLink(deps, { merchantId: session.merchantId, id: body.id, from: context }),
    )
  },

  'POST /api/v1/pay/refund-links': async context => {
    const { deps, holder, body } = context
    const { out_no: outNo, trade_no: tradeNo, gas_payer: gasPayer, basis = 'token', reason = '', ...rest } = body
    const { merchantId, appid, recheck } = holder
    const byKey = { appid, outNo, bodyHash: hashBody(body), recheck }
    const request = { ...rest, merchantId, byKey, tradeNo, gasPayer, basis, reason, from: context }
    const id = await createOncePerNumber(deps, refundLinkByOutNo, merchantId, byKey, async () => {
      await checkPayoutKey(deps, holder)
      return makeRefundLink(deps, request)
    })
    return serializeRefundLink(deps, (await readRefundLink(deps.pool, merchantId, id))!, { mayClaim: true })
  },

  'GET /api/v1/pay/refund-links/:id': async ({ deps, holder: { merchantId, appid, scopes }, params }) => {
    const row = await readRefundLink(deps.pool, merchantId, params.id)
    if (row?.appid !== appid) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    return serializeRefundLink(deps, row, { mayClaim: scopes.includes('refunds') })
  },

  'POST /api/v1/pay/refund-links/:id/cancel': async context => {
    const { deps, holder, params } = context
    const { merchantId, appid, recheck } = holder
    await cancelUnclaimedRefundLink(deps, { merchantId, appid, id: params.id, from: context, recheck })
    return serializeRefundLink(deps, (await readRefundLink(deps.pool, merchantId, params.id))!, { mayClaim: true })
  },

  'POST /api/v1/public/refund-claim': context => readRefundClaim(context.deps, context.body.token, context),

  'POST /api/v1/public/refund-claim/quote': context => {
    const { asset_id: assetId, ...rest } = context.body
    return quoteRefundClaim(context.deps, { ...rest, assetId, language: context.language, from: context })
  },

  'POST /api/v1/public/refund-claim/confirm': async context => {
    const { deps, body } = context
    const { asset_id: assetId, ...rest } = body
    await claimRefund(deps, { ...rest, assetId, from: context })
    return readRefundClaim(deps, body.token, context)
  },
})
