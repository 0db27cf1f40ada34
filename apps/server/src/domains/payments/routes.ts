import type { CallbackEvent } from '@coffer/contract'
import { defineHandlers, noData } from '../../http/context.ts'
import { exportHandler } from '../../http/export.ts'
import { usdt } from '../../kit/amounts.ts'
import { listAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { listCallbacks } from '../callbacks/store.ts'
import { readDeposits } from './deposit-view.ts'
import paymentExport from './export.ts'
import { markPayment } from './mark-payment.ts'
import { pagePayments, pageWithDeposits } from './payment-list.ts'
import { readExtras, readHistory } from './payment-record.ts'
import { searchPayments } from './payment-search.ts'
import { paymentRecord } from './present.ts'

/** Maximum callbacks shown with a payment. */
const callbacksMax = 100

/** Payment records in the merchant console. */
export const paymentHandlers = defineHandlers({
  'GET /api/v1/transactions/list': async ({ deps, session: { merchantId }, query }) => {
    const { rows, total } = await pageWithDeposits(deps, merchantId, query, pageOf(query))
    return listAnswer(rows, total, ({ row, deposits }) => paymentRecord(row, deposits))
  },

  'GET /api/v1/transactions/search': async ({ deps, session: { merchantId }, query: { text } }) => ({
    list: (await searchPayments(deps.pool, merchantId, text.trim())).map(({ created_at, usdt_amount, ...row }) => ({
      ...row,
      usdt_amount: usdt(usdt_amount),
      created_time: created_at,
    })),
  }),

  'GET /api/v1/transactions/list/export': exportHandler(paymentExport),

  'POST /api/v1/transactions/mark': context => {
    const { deps, body, session } = context
    const { trade_no: tradeNo, ...rest } = body
    return noData(markPayment(deps, { ...rest, tradeNo, merchantId: session.merchantId, from: context }))
  },

  'GET /api/v1/transactions/detail': async ({ deps, session: { merchantId }, query: { trade_no } }) => {
    const { rows } = await pagePayments(deps.pool, merchantId, { trade_no }, { offset: 0, limit: 1 })
    const row = rows[0]
    if (!row) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
    const [extras, deposits, history, callbacks] = await Promise.all([
      readExtras(deps.pool, merchantId, trade_no),
      readDeposits(deps.pool, [{ merchant_id: merchantId, trade_no }]),
      readHistory(deps.pool, merchantId, trade_no),
      listCallbacks(deps.pool, merchantId, { trade_no }, { limit: callbacksMax, offset: 0 }),
    ])
    return {
      ...paymentRecord(row, deposits.get(trade_no) ?? []),
      ...extras!,
      rate: row.price && { price: row.price.price, source: row.price.source, time: row.price.time },
      history: history.map(({ created_at, ...step }) => ({ ...step, time: created_at })),
      callbacks: callbacks.rows.map(({ id, event, status, attempts, created_at }) => ({
        id,
        event: event as CallbackEvent,
        status,
        attempts,
        time: created_at,
      })),
    }
  },
})
