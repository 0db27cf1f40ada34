import type { Deps } from '../../deps.ts'
import { defineHandlers, toEmptyAnswer } from '../../http/context.ts'
import { exportHandler } from '../../http/export.ts'
import { usdtText } from '../../kit/amounts.ts'
import { pageOf } from '../../kit/list.ts'
import { type PaymentScope, visibleTo } from '../../kit/visible-to.ts'
import { markPayment } from './mark-payment.ts'
import paymentExport from './records/export.ts'
import { paymentDetail } from './records/payment-detail.ts'
import { pagePayments, pageWithDeposits } from './records/payment-list.ts'
import { type FoundPayment, searchMax, searchPayments } from './records/payment-search.ts'
import { paymentRecord } from './records/present.ts'

/** Payment records in the merchant console. */
export const paymentHandlers = defineHandlers({
  'GET /api/v1/transactions/list': async ({ deps, session, query }) => {
    const scope = visibleTo(session)
    const { rows, total, truncated } = await pageWithDeposits(deps, scope, query, pageOf(query))
    return { list: rows.map(({ row, deposits }) => paymentRecord(row, deposits, scope)), total, truncated }
  },

  'GET /api/v1/transactions/search': async ({ deps, session, query: { text } }) => ({
    list: (await searchVisible(deps, visibleTo(session), text.trim())).map(
      ({ trade_no, out_trade_no, title, usdt_amount, fiat_name, fiat_amount, status, created_at }) => ({
        trade_no,
        out_trade_no,
        title: title ?? '',
        usdt_amount: usdtText(usdt_amount),
        fiat_name,
        fiat_amount,
        status,
        created_time: created_at,
      }),
    ),
  }),

  'GET /api/v1/transactions/list/export': exportHandler(paymentExport),

  'POST /api/v1/transactions/mark': context => {
    const { deps, body, session } = context
    const { trade_no: tradeNo, ...rest } = body
    return toEmptyAnswer(markPayment(deps, { ...rest, tradeNo, merchantId: session.merchantId, from: context }))
  },

  'GET /api/v1/transactions/detail': ({ deps, session, query: { trade_no } }) =>
    paymentDetail(deps, visibleTo(session), trade_no),
})

/** The quick search is bounded before it could be limited to a person's payments, which are few enough to be listed. */
const searchVisible = async ({ pool }: Deps, scope: PaymentScope, text: string): Promise<FoundPayment[]> =>
  scope.collectedBy === null
    ? searchPayments(pool, scope.merchantId, text)
    : (await pagePayments(pool, scope, { text }, { offset: 0, limit: searchMax })).rows
