import { defineHandlers, toEmptyAnswer } from '../../http/context.ts'
import { exportHandler } from '../../http/export.ts'
import { usdtText } from '../../kit/amounts.ts'
import { pageOf } from '../../kit/list.ts'
import { markPayment } from './mark-payment.ts'
import paymentExport from './records/export.ts'
import { paymentDetail } from './records/payment-detail.ts'
import { pageWithDeposits } from './records/payment-list.ts'
import { searchPayments } from './records/payment-search.ts'
import { paymentRecord } from './records/present.ts'

/** Payment records in the merchant console. */
export const paymentHandlers = defineHandlers({
  'GET /api/v1/transactions/list': async ({ deps, session: { merchantId }, query }) => {
    const { rows, total, truncated } = await pageWithDeposits(deps, merchantId, query, pageOf(query))
    return { list: rows.map(({ row, deposits }) => paymentRecord(row, deposits)), total, truncated }
  },

  'GET /api/v1/transactions/search': async ({ deps, session: { merchantId }, query: { text } }) => ({
    list: (await searchPayments(deps.pool, merchantId, text.trim())).map(
      ({ created_at, usdt_amount, title, ...row }) => ({
        ...row,
        title: title ?? '',
        usdt_amount: usdtText(usdt_amount),
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

  'GET /api/v1/transactions/detail': ({ deps, session: { merchantId }, query: { trade_no } }) =>
    paymentDetail(deps, merchantId, trade_no),
})
