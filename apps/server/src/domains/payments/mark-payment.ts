import type { PaymentMark } from '@coffer/contract/codes.ts'
import type { Deps } from '../../deps.ts'
import type { ScopeRecheck } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { applicationById } from '../applications/store.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { PaymentChange, savePaymentChanges } from './payment-changes.ts'
import { assertNoDepositsInDoubt, countDeposits, lockMerchantPayment } from './store.ts'

export interface MarkPaymentInput {
  merchantId: string
  tradeNo: string
  as: PaymentMark
  reason: string
  proof?: Proof | undefined
  from: Visitor
}

/**
 * Marks a payment as paid or invalid by the merchant's decision, whatever was received. Moves no money. Marking it
 * again as the same changes nothing. Refused while a transfer awaits confirmations.
 */
export async function markPayment(deps: Deps, input: MarkPaymentInput): Promise<void> {
  const { merchantId, tradeNo, as, reason, proof, from } = input
  const consume = await checkProof(deps, { by: readMember(merchantId, from), proof, action: 'mark-payment' })
  await tx(deps.pool, async (c, uow) => {
    await lockActiveMerchant(c, merchantId, { approved: true })
    const row = await lockMerchantPayment(c, merchantId, tradeNo)
    if (!row) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
    const type = `marked_${as}` as const
    if (row.exception === type) return
    const now = deps.clock()
    const change = new PaymentChange(row)
    await assertNoDepositsInDoubt(c, tradeNo)
    change.reason = reason.trim()
    change.apply({ type }, now)
    await savePaymentChanges(deps, uow, [change], now)
    await consume(c)
    recordEvent(deps, uow, { merchantId, type: 'payment_marked', from, params: { trade_no: tradeNo } })
  })
}

/**
 * Marks a payment as paid by the key of its application. Marking it again changes nothing. Unlike a person, who sees
 * what arrived, a key is refused once there is a deposit, and cannot undo the merchant's own mark.
 */
export async function markPaidByKey(
  deps: Deps,
  input: {
    merchantId: string
    appid: string
    tradeNo: string
    reason: string
    from: Visitor
    recheck?: ScopeRecheck
  },
): Promise<void> {
  const { merchantId, appid, tradeNo, reason, from, recheck } = input
  await tx(deps.pool, async (c, uow) => {
    await lockActiveMerchant(c, merchantId, { approved: true })
    await recheck?.(c)
    const row = await lockMerchantPayment(c, merchantId, tradeNo)
    if (!row || row.appid !== appid) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
    if (row.exception === 'marked_paid') return
    // The right may have been taken away since the key was checked.
    const application = await applicationById(c, merchantId, appid)
    if (!application?.marks_allowed) throw new Refusal('marks_not_allowed')
    if (row.exception === 'marked_invalid' || (await countDeposits(c, tradeNo)) > 0)
      throw new Refusal('transaction_cannot_mark', { field: 'trade_no' })
    const now = deps.clock()
    const change = new PaymentChange(row)
    change.reason = reason.trim()
    change.apply({ type: 'marked_paid' }, now)
    await savePaymentChanges(deps, uow, [change], now)
    recordEvent(deps, uow, { merchantId, type: 'payment_marked', from, params: { trade_no: tradeNo, appid } })
  })
}
