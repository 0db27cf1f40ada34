import { paymentStatus } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import type { ScopeRecheck } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { PaymentChange, savePaymentChanges } from './payment-changes.ts'
import { type Order, readMerchantOrder } from './present-order.ts'
import { lockMerchantPayment } from './store.ts'

export interface ClosePaymentInput {
  merchantId: string
  /** The calling application; the payment must belong to it. */
  appid: string
  tradeNo: string
  /** Refuses, in the transaction, a key whose scope was taken away meanwhile. */
  recheck?: ScopeRecheck
}

/** Closes a payment that has no paid or pending amount. Closing it again returns it unchanged. */
export async function closePayment(
  deps: Deps,
  { merchantId, appid, tradeNo, recheck }: ClosePaymentInput,
): Promise<Order> {
  return tx(deps.pool, async (c, uow) => {
    await recheck?.(c)
    const row = await lockMerchantPayment(c, merchantId, tradeNo)
    if (!row || row.appid !== appid) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
    if (row.status === paymentStatus.closed)
      return (await readMerchantOrder(c, deps.config.publicUrl, { merchantId, tradeNo }))!
    const now = deps.clock()
    const change = new PaymentChange(row)
    change.apply({ type: 'closed' }, now)
    return (await savePaymentChanges(deps, uow, [change], now)).get(tradeNo)!
  })
}
