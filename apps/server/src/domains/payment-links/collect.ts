import { isPayableStatus, type ParsedBody, type RouteData } from '@coffer/contract'
import { minimumPaid } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { usdtText } from '../../kit/amounts.ts'
import { all } from '../../kit/db.ts'
import { counterOrderNumberPrefix } from '../../kit/format-payment-name.ts'
import { newTradeNo } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { ensureCollectApplication } from '../applications/ensure-collect-application.ts'
import { closePayment } from '../payments/close-payment.ts'
import { createPayment } from '../payments/create-payment.ts'
import { readMerchantOrder } from '../payments/present-order.ts'

/** Creates a payment at the counter, in the merchant's application called Collect. */
export async function createCollection(
  deps: Deps,
  input: { merchantId: string; request: ParsedBody<'POST /api/v1/collect'>; from: Visitor },
): Promise<{ trade_no: string; pay_url: string }> {
  const { merchantId, from } = input
  const { amount, currency, note } = input.request
  await throttle(deps, `collect ${merchantId}`, { max: 600, seconds: 3_600 })
  const appid = await ensureCollectApplication(deps, { merchantId, from })
  const { trade_no, pay_url } = await createPayment(deps, {
    merchantId,
    appid,
    order: {
      out_trade_no: counterOrderNumberPrefix + newTradeNo(deps.clock()),
      amount,
      currency,
      subject: note,
      attach: '',
      return_url: '',
      expires_in: 1_800,
    },
  })
  return { trade_no, pay_url }
}

const lately = all(
  'collect-lately',
  `select trade_no, subject as note, status, usdt_amount, fiat_name, fiat_amount, amount, paid_amount, pending_amount, tolerance_permille, created_at,
     (select decimals from assets where id = asset_id) as decimals
   from payments
   where merchant_id = $1 and created_at > $2 and starts_with(out_trade_no, '${counterOrderNumberPrefix}')
     and appid = any (select appid from applications where merchant_id = $1 and collects)
   order by created_at desc, trade_no desc limit 20`,
)
/** How long (seconds) a payment of the counter is listed: longer than it can be open. */
const listedSeconds = 7_200

/** Lists the merchant's last payments of the counter, so that one which was left is found again. */
export async function listCollections(deps: Deps, merchantId: string): Promise<RouteData<'GET /api/v1/collect'>> {
  const rows = await lately(deps.pool, merchantId, deps.clock() - listedSeconds)
  return {
    list: rows.map(row => {
      const seen = row.paid_amount + row.pending_amount
      const requested = row.amount
      const decimals = row.decimals ?? 0
      const least = minimumPaid({ requested, decimals, tolerancePermille: row.tolerance_permille })
      return {
        trade_no: row.trade_no,
        note: row.note,
        amount: row.fiat_name ? row.fiat_amount : usdtText(row.usdt_amount),
        currency: row.fiat_name || 'USDT',
        status: row.status,
        partial: isPayableStatus(row.status) && seen > 0n && seen < least,
        created_time: row.created_at,
      }
    }),
  }
}

/** Closes a payment of the counter for which nothing has been paid. */
export async function cancelCollection(
  deps: Deps,
  { merchantId, tradeNo }: { merchantId: string; tradeNo: string },
): Promise<void> {
  const order = await readMerchantOrder(deps.pool, deps.config.publicUrl, { merchantId, tradeNo })
  // Only payments of the counter can be cancelled there.
  if (!order?.out_trade_no.startsWith(counterOrderNumberPrefix))
    throw new Refusal('transaction_not_exist', { field: 'trade_no' })
  await closePayment(deps, { merchantId, appid: order.appid, tradeNo })
}
