import { defineHandlers, noData } from '../../http/context.ts'
import { pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { cancelCollection, collect, listCollections } from './collect.ts'
import { createLink } from './create-link.ts'
import { disableLink } from './disable-link.ts'
import { openLink } from './open-link.ts'
import { presentLink, stateOf } from './present.ts'
import { countPaid, linkByToken, listLinks } from './store.ts'

/** Payment links, and payments at the counter. */
export const paymentLinkHandlers = defineHandlers({
  'GET /api/v1/payment-link': async ({ deps, session: { merchantId }, query }) => {
    const now = deps.clock()
    const { text, active } = query
    const state = active === undefined ? {} : { [active === 1 ? 'open_at' : 'ended_at']: now }
    const { rows, total } = await listLinks(deps.pool, merchantId, { text, ...state }, pageOf(query))
    const ids = rows.map(row => row.id)
    const paid = await countPaid(deps.pool, merchantId, ids)
    return { list: rows.map(row => presentLink(row, deps.config.publicUrl, paid.get(row.id) ?? 0, now)), total }
  },

  'POST /api/v1/payment-link': async context => {
    const { deps, session, body } = context
    const row = await createLink(deps, { merchantId: session.merchantId, link: body, from: context })
    return presentLink(row, deps.config.publicUrl, 0, deps.clock())
  },

  'POST /api/v1/payment-link/disable': ({ deps, session, body }) =>
    noData(disableLink(deps, session.merchantId, body.id)),

  'GET /api/v1/collect': ({ deps, session }) => listCollections(deps, session.merchantId),

  'POST /api/v1/collect': context =>
    collect(context.deps, { merchantId: context.session.merchantId, request: context.body, from: context }),

  'POST /api/v1/collect/cancel': ({ deps, session, body }) =>
    noData(cancelCollection(deps, { merchantId: session.merchantId, tradeNo: body.trade_no })),

  'GET /api/v1/public/payment-link/:token': async ({ deps, params }) => {
    const row = await linkByToken(deps.pool, params.token)
    if (!row) throw new Refusal('payment_link_not_exist')
    const { title, currency, amount, min_amount, max_amount, once, payee, logo } = row
    const state = stateOf(row, deps.clock())
    const sandbox = deps.config.mode === 'sandbox'
    return { title, currency, amount, min_amount, max_amount, once, state, merchant_name: payee, logo, sandbox }
  },

  'POST /api/v1/public/payment-link/:token': async ({ deps, params, body, ip }) => ({
    trade_no: await openLink(deps, { ...params, amount: body.amount, ip }),
  }),
})
