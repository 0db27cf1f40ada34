import { formatDecimal } from '@coffer/contract'
import { defineHandlers } from '../../http/context.ts'
import { usdtValueText } from '../../kit/amounts.ts'
import { pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { wholeShop } from '../../kit/visible-to.ts'
import { checkNotifyUrl } from '../../outside/check-notify-url.ts'
import { listCurrencies } from '../chains/currencies.ts'
import { readBalances } from '../ledger/store.ts'
import { readQuotes, valueInUsdt } from '../prices/store.ts'
import { closePayment } from './close-payment.ts'
import { createPayment } from './create-payment.ts'
import { markPaidByKey } from './mark-payment.ts'
import { ordersByTradeNo, readApplicationOrder } from './present-order.ts'
import { formatPaymentCursor, readPaymentsAfter } from './records/export.ts'
import { pagePayments } from './records/payment-list.ts'

/** The page from which only the total is read. */
const firstOnly = { limit: 1, offset: 0 }

/** Merchant API. Each key grants access to its own application's orders only. */
export const payHandlers = defineHandlers({
  'POST /api/v1/pay/orders': async ({ deps, holder, body }) => {
    await checkNotifyUrl(deps, body.notify_url ?? '')
    return createPayment(deps, { ...holder, order: body })
  },

  'GET /api/v1/pay/orders': async ({ deps, holder, query: { cursor, ...query } }) => {
    const requested = { ...query, appid: holder.appid }
    const scope = wholeShop(holder.merchantId)
    const { rows, total } = await pagePayments(deps.pool, scope, requested, cursor ? firstOnly : pageOf(query))
    const page = cursor ? await readPaymentsAfter(deps.pool, scope, requested, cursor, query.pageSize) : rows
    const tradeNos = page.map(row => row.trade_no)
    const orders = await ordersByTradeNo(deps.pool, deps.config.publicUrl, tradeNos)
    const last = page.length === query.pageSize ? page.at(-1) : undefined
    return {
      list: tradeNos.flatMap(tradeNo => orders.get(tradeNo) ?? []),
      total,
      next_cursor: last ? formatPaymentCursor(last) : '',
    }
  },

  'GET /api/v1/pay/orders/:trade_no': async ({ deps, holder, params: { trade_no } }) => {
    const number = trade_no.startsWith('out:') ? { outTradeNo: trade_no.slice(4) } : { tradeNo: trade_no }
    const order = await readApplicationOrder(deps.pool, deps.config.publicUrl, { ...holder, ...number })
    if (!order) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
    return order
  },

  'POST /api/v1/pay/orders/:trade_no/close': async ({ deps, holder, params: { trade_no } }) =>
    closePayment(deps, { ...holder, tradeNo: trade_no }),

  'POST /api/v1/pay/orders/:trade_no/mark-paid': async context => {
    const { deps, holder, params, body } = context
    const { merchantId, appid, recheck } = holder
    if (!holder.mayMark) throw new Refusal('marks_not_allowed')
    await markPaidByKey(deps, { merchantId, appid, tradeNo: params.trade_no, ...body, from: context, recheck })
    return (await readApplicationOrder(deps.pool, deps.config.publicUrl, {
      merchantId,
      appid,
      tradeNo: params.trade_no,
    }))!
  },

  'GET /api/v1/pay/currencies': async ({ deps, holder }) => {
    return { list: await listCurrencies(deps.pool, holder.merchantId) }
  },

  'GET /api/v1/pay/balances': async ({ deps, holder }) => {
    const [balances, quotes] = await Promise.all([readBalances(deps.pool, holder.merchantId), readQuotes(deps.pool)])
    const rows = balances.map(row => ({
      ...row,
      value: valueInUsdt(row.available + row.held, row.decimals, quotes.get(row.price_of)),
    }))
    return {
      list: rows.map(row => ({
        token: row.token,
        chain: row.chain,
        chain_id: row.chain_id,
        available: formatDecimal(row.available, row.decimals),
        held: formatDecimal(row.held, row.decimals),
        usdt_value: usdtValueText(row.value),
      })),
      total_usdt: usdtValueText(rows.reduce((sum, row) => sum + row.value, 0n)),
    }
  },
})
