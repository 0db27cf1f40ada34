import type { ParsedBody } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import { newTradeNo } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { collectApplication } from '../applications/collect-application.ts'
import { closePayment } from '../payments/close-payment.ts'
import { createPayment } from '../payments/create-payment.ts'
import { readOrder } from '../payments/present-order.ts'

/** Order numbers of payments of the counter begin with it. Only these can be cancelled there. */
const prefix = 'counter-'

/** Creates a payment at the counter, in the merchant's application called Collect. */
export async function collect(
  deps: Deps,
  input: { merchantId: string; request: ParsedBody<'POST /api/v1/collect'>; from: Visitor },
): Promise<{ trade_no: string; pay_url: string }> {
  const { merchantId, from } = input
  const { amount, currency, note } = input.request
  await throttle(deps, `collect ${merchantId}`, { max: 600, seconds: 3_600 })
  const appid = await collectApplication(deps, { merchantId, from })
  const { trade_no, pay_url } = await createPayment(deps, {
    merchantId,
    appid,
    order: {
      out_trade_no: prefix + newTradeNo(deps.clock()),
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

/** Closes a payment of the counter for which nothing has been paid. */
export async function cancelCollection(
  deps: Deps,
  { merchantId, tradeNo }: { merchantId: string; tradeNo: string },
): Promise<void> {
  const order = await readOrder(deps.pool, deps.config.publicUrl, { merchantId, tradeNo })
  if (!order?.out_trade_no.startsWith(prefix)) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
  await closePayment(deps, { merchantId, appid: order.appid, tradeNo })
}
