import { defineHandlers, toEmptyAnswer } from '../../http/context.ts'
import { pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { visibleTo } from '../../kit/visible-to.ts'
import { cancelCollection, createCollection, listCollections } from './collect.ts'
import { createPaymentLink } from './create-payment-link.ts'
import { disablePaymentLink } from './disable-payment-link.ts'
import { openPaymentByLink } from './open-payment-by-link.ts'
import { computeLinkState, presentLink } from './present.ts'
import { countPaidLinkPayments, listLinks, paymentLinkByToken } from './store.ts'

/** Payment links, and payments at the counter. */
export const paymentLinkHandlers = defineHandlers({
  'GET /api/v1/payment-link': async ({ deps, session, query }) => {
    const { merchantId, collectedBy } = visibleTo(session)
    const now = deps.clock()
    const { text, active } = query
    const state = active === undefined ? {} : { [active === 1 ? 'open_at' : 'ended_at']: now }
    const filter = { text, ...state, ...(collectedBy !== null && { created_by: collectedBy }) }
    const { rows, total } = await listLinks(deps.pool, merchantId, filter, pageOf(query))
    const ids = rows.map(row => row.id)
    const paid = await countPaidLinkPayments(deps.pool, merchantId, ids)
    return { list: rows.map(row => presentLink(row, deps.config.publicUrl, paid.get(row.id) ?? 0, now)), total }
  },

  'POST /api/v1/payment-link': async context => {
    const { deps, session, body } = context
    const { merchantId, personId } = session
    const isOwnOnly = visibleTo(session).collectedBy !== null
    const row = await createPaymentLink(deps, { merchantId, personId, isOwnOnly, link: body, from: context })
    return presentLink(row, deps.config.publicUrl, 0, deps.clock())
  },

  'POST /api/v1/payment-link/disable': ({ deps, session, body }) =>
    toEmptyAnswer(disablePaymentLink(deps, visibleTo(session), body.id)),

  'GET /api/v1/collect': ({ deps, session }) => listCollections(deps, visibleTo(session)),

  'POST /api/v1/collect': context => {
    const { deps, session, body } = context
    const { merchantId, personId } = session
    return createCollection(deps, { merchantId, personId, request: body, from: context })
  },

  'POST /api/v1/collect/cancel': ({ deps, session, body }) =>
    toEmptyAnswer(cancelCollection(deps, { scope: visibleTo(session), tradeNo: body.trade_no })),

  'GET /api/v1/public/payment-link/:token': async ({ deps, params }) => {
    const row = await paymentLinkByToken(deps.pool, params.token)
    if (!row) throw new Refusal('payment_link_not_exist')
    const { title, currency, amount, min_amount, max_amount, once, payee, logo } = row
    const state = computeLinkState(row, deps.clock())
    const sandbox = deps.config.mode === 'sandbox'
    return { title, currency, amount, min_amount, max_amount, once, state, merchant_name: payee, logo, sandbox }
  },

  'POST /api/v1/public/payment-link/:token': async ({ deps, params, body, ip }) => ({
    trade_no: await openPaymentByLink(deps, { ...params, amount: body.amount, ip }),
  }),
})
