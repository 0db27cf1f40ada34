import { chainAdapters } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newTradeNo } from '../../kit/ids.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import { requirePayableDestination } from '../destinations/explain-destination.ts'
import { passkeyConfirmedAt } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockMerchant } from '../merchants/store.ts'
import { PaymentChange } from '../payments/payment-changes.ts'
import { assertNoDepositsInDoubt, lockMerchantPayment } from '../payments/store.ts'
import { createUsedNumberRefusal } from '../withdrawals/once-per-number.ts'
import { createRefund } from './create-refund.ts'
import { checkRefund } from './eligibility.ts'
import { lockRefundAllowance } from './refund-limit.ts'
import { checkRequestProof, quoteRequestedRefund, type RequestedRefund } from './request.ts'
import { addRefundedAmount, refundByOutNo } from './store.ts'

/**
 * Gives a payment back to an address: reserves the amount, moves the payment to "under refund" and queues the refund to
 * be sent. One refund of a payment at a time. Returns its number. Throws Refusal('reference_conflict') if the
 * application has used its number.
 */
export async function requestRefund(deps: Deps, input: RequestedRefund & { address: string }): Promise<string> {
  const { merchantId, byKey, tradeNo, address, reason, proof, from, ...request } = input
  const quote = await quoteRequestedRefund(deps, input)
  const { asset } = quote
  const { to, warnings } = await requirePayableDestination(deps, merchantId, asset, address)
  const consume = await checkRequestProof(deps, input, address)
  return tx(deps.pool, async (c, uow) => {
    // As for withdrawals: each request of a merchant sees what those before have used of its windows.
    const merchant = await lockMerchant(c, merchantId)
    if (!merchant) throw new Refusal('login_expired')
    await byKey?.recheck?.(c)
    const by = byKey ? undefined : readMember(merchantId, from)
    const allowance = by ? await lockRefundAllowance(deps, c, by) : null
    if (byKey && (await refundByOutNo(c, merchantId, byKey.appid, byKey.outNo))) throw createUsedNumberRefusal()
    const payment = await lockMerchantPayment(c, merchantId, tradeNo)
    if (!payment || payment.asset_id !== asset.id) throw new Refusal('cannot_refund', { field: 'trade_no' })
    const now = deps.clock()
    const change = new PaymentChange(payment)
    change.reason = reason.trim()
    await assertNoDepositsInDoubt(c, tradeNo)
    change.apply({ type: 'refund_started' }, now)
    const passkeyAt = passkeyConfirmedAt(deps, proof)
    const { terms, value, refusal } = await checkRefund(deps, c, {
      merchant,
      payment,
      request,
      to,
      quote,
      passkeyAt,
      personId: by?.personId ?? null,
      allowance,
    })
    if (refusal) throw refusal
    await consume?.(c)
    const id = newTradeNo(now)
    await addRefundedAmount(c, merchantId, tradeNo, payment.paid_amount, terms.amount)
    await createRefund(deps, uow, {
      ...request,
      id,
      change,
      appid: payment.appid,
      asset,
      to,
      terms,
      value,
      reason: reason.trim(),
      byKey,
      requestedBy: by?.personId ?? '',
      counted: terms.amount,
      sendAfter: 0,
      byPasskey: passkeyAt !== null,
      warnings,
      now,
    })
    const details = { trade_no: tradeNo, to: chainAdapters[asset.kind].address.show(to) }
    recordEvent(deps, uow, {
      merchantId,
      type: 'refund_requested',
      from,
      params: { id },
      details,
      isExpected: byKey !== undefined,
    })
    return id
  })
}
