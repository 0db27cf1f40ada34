import { isPayableStatus, type ParsedBody, type RouteData } from '@coffer/contract'
import { minimumPaid } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { usdtText } from '../../kit/amounts.ts'
import { all, first } from '../../kit/db.ts'
import { counterOrderNumberPrefix } from '../../kit/format-payment-name.ts'
import { newTradeNo } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import type { PaymentScope } from '../../kit/visible-to.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { ensureCollectApplication } from '../applications/ensure-collect-application.ts'
import { closePayment } from '../payments/close-payment.ts'
import { createPayment } from '../payments/create-payment.ts'

/** Each person has a limit of their own, so that nobody uses up that of others. */
export const formatCollector = (merchantId: string, personId: string): string =>
  personId === '' || personId === merchantId ? merchantId : `${merchantId} ${personId}`

/** Creates a payment at the counter, in the merchant's application called Collect. */
export async function createCollection(
  deps: Deps,
  input: { merchantId: string; personId: string; request: ParsedBody<'POST /api/v1/collect'>; from: Visitor },
): Promise<{ trade_no: string; pay_url: string }> {
  const { merchantId, personId, from } = input
  const { amount, currency, note } = input.request
  await throttle(deps, `collect ${formatCollector(merchantId, personId)}`, { max: 600, seconds: 3_600 })
  const appid = await ensureCollectApplication(deps, { merchantId, from })
  const { trade_no, pay_url } = await createPayment(deps, {
    merchantId,
    appid,
    collectedBy: personId,
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

/** Reads the last payments of the counter, at most 20: of the person $3, or of all. */
export const lately = all(
  'collect-lately',
  `select trade_no, subject as note, status, usdt_amount, fiat_name, fiat_amount, amount, paid_amount, pending_amount, tolerance_permille, created_at,
     (select decimals from assets where id = asset_id) as decimals
   from payments
   where merchant_id = $1 and created_at > $2 and starts_with(out_trade_no, '${counterOrderNumberPrefix}')
     and appid = any (select appid from applications where merchant_id = $1 and collects)
     and ($3::text is null or collected_by = $3)
   order by created_at desc, trade_no desc limit 20`,
)
/** How long (seconds) a payment of the counter is listed: longer than it can be open. */
const listedSeconds = 7_200

/** Lists the last payments of the counter that the caller may see, so that one which was left is found again. */
export async function listCollections(
  deps: Deps,
  { merchantId, collectedBy }: PaymentScope,
): Promise<RouteData<'GET /api/v1/collect'>> {
  const rows = await lately(deps.pool, merchantId, deps.clock() - listedSeconds, collectedBy)
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

const counterApplication = first(
  'collect-application-of',
  `select appid from payments where merchant_id = $1 and trade_no = $2 and starts_with(out_trade_no, '${counterOrderNumberPrefix}')
     and ($3::text is null or collected_by = $3)`,
)

/** Closes a payment of the counter that the caller may see, for which nothing has been paid. */
export async function cancelCollection(
  deps: Deps,
  { scope: { merchantId, collectedBy }, tradeNo }: { scope: PaymentScope; tradeNo: string },
): Promise<void> {
  const found = await counterApplication(deps.pool, merchantId, tradeNo, collectedBy)
  // Only payments of the counter can be cancelled there.
  if (!found) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
  await closePayment(deps, { merchantId, appid: found.appid, tradeNo })
}
