import type { Mark } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { PaymentChange, saveChanges } from './payment-changes.ts'
import { lockPaymentOf, mustBeSettled } from './store.ts'

export interface MarkPayment {
  merchantId: string
  tradeNo: string
  as: Mark
  reason: string
  proof?: Proof | undefined
  from: Visitor
}

/**
 * Marks a payment as paid or invalid by the merchant's decision, whatever was received. Moves no money. Marking it again as
 * the same changes nothing. Refused while a transfer awaits confirmations.
 */
export async function markPayment(deps: Deps, input: MarkPayment): Promise<void> {
  const { merchantId, tradeNo, as, reason, proof, from } = input
  const consume = await checkProof(deps, { merchantId, proof, action: 'mark-payment' })
  await tx(deps.pool, async (c, uow) => {
    await lockActiveMerchant(c, merchantId, { approved: true })
    const row = await lockPaymentOf(c, merchantId, tradeNo)
    if (!row) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
    const type = `marked_${as}` as const
    if (row.exception === type) return
    const now = deps.clock()
    const change = new PaymentChange(row)
    await mustBeSettled(c, tradeNo)
    change.reason = reason.trim()
    change.apply({ type }, now)
    await saveChanges(deps, uow, [change], now)
    await consume(c)
    recordEvent(deps, uow, { merchantId, type: 'payment_marked', from, params: { trade_no: tradeNo } })
  })
}
