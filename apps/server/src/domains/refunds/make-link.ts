import { acceptsPaymentEvent } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newTradeNo } from '../../kit/ids.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { passkeyConfirmedAt } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockMerchant } from '../merchants/store.ts'
import { PaymentChange, savePaymentChanges } from '../payments/payment-changes.ts'
import { assertNoDepositsInDoubt, lockMerchantPayment } from '../payments/store.ts'
import { createUsedNumberRefusal } from '../withdrawals/once-per-number.ts'
import { checkRefund } from './eligibility.ts'
import { deriveRefundLinkTokens, findOpenRefundLink, insertRefundLink, refundLinkByOutNo } from './link-store.ts'
import { lockRefundAllowance } from './refund-limit.ts'
import { checkRequestProof, quoteRequestedRefund, type RequestedRefund } from './request.ts'
import { addRefundedAmount } from './store.ts'

/** Seconds for which a link can be claimed. */
const linkSeconds = 30 * 86_400

const openDetail = {
  en: 'a refund link is still open; cancel it first',
  'zh-CN': '尚有未领取的退款链接，请先取消该链接',
}
/** A payment has one open link at a time. */
export const createOpenLinkRefusal = () => new Refusal('cannot_refund', { field: 'trade_no', detail: openDetail })

/**
 * Makes a link by which the payer claims a refund, with an address and a network of their own choice. The amount counts
 * as refunded until the link ends, and the balance is charged when it is claimed. The payment is "under refund"
 * meanwhile if the link gives back all that is left of it, otherwise from the claim on. Returns its number. Throws
 * Refusal('reference_conflict') if the application has used its number.
 */
export async function makeRefundLink(deps: Deps, input: RequestedRefund): Promise<string> {
  const { merchantId, byKey, tradeNo, reason, proof, from, ...request } = input
  const quote = await quoteRequestedRefund(deps, input)
  const consume = await checkRequestProof(deps, input, '')
  return tx(deps.pool, async (c, uow) => {
    const merchant = await lockMerchant(c, merchantId)
    if (!merchant) throw new Refusal('login_expired')
    await byKey?.recheck?.(c)
    const by = byKey ? undefined : readMember(merchantId, from)
    const allowance = by ? await lockRefundAllowance(deps, c, by) : null
    if (byKey && (await refundLinkByOutNo(c, merchantId, byKey.appid, byKey.outNo))) throw createUsedNumberRefusal()
    const payment = await lockMerchantPayment(c, merchantId, tradeNo)
    if (!payment || payment.asset_id !== quote.asset.id) throw new Refusal('cannot_refund', { field: 'trade_no' })
    const now = deps.clock()
    const change = new PaymentChange(payment)
    change.reason = reason.trim()
    await assertNoDepositsInDoubt(c, tradeNo)
    if (!acceptsPaymentEvent('refund_started', change.payment.state))
      throw new Refusal('cannot_refund', { field: 'trade_no' })
    if (await findOpenRefundLink(c, merchantId, tradeNo)) throw createOpenLinkRefusal()
    const passkeyAt = passkeyConfirmedAt(deps, proof)
    const { terms, value, refunded, refusal } = await checkRefund(deps, c, {
      merchant,
      payment,
      request,
      to: null,
      quote,
      passkeyAt,
      fromBalance: false,
      personId: by?.personId ?? null,
      allowance,
    })
    // The claimant names the address, against which the policy is evaluated then.
    if (refusal) throw refusal
    if (refunded + terms.amount >= payment.paid_amount) change.apply({ type: 'refund_started' }, now)
    await consume?.(c)
    const id = newTradeNo(now)
    await addRefundedAmount(c, merchantId, tradeNo, payment.paid_amount, terms.amount)
    await insertRefundLink(
      c,
      merchantId,
      id,
      tradeNo,
      payment.appid,
      hashSecret(deriveRefundLinkTokens(deps, id)[0]!),
      request.kind,
      request.basis,
      request.gasPayer,
      terms.amount,
      reason.trim(),
      passkeyAt !== null,
      byKey?.outNo,
      byKey?.bodyHash,
      now + linkSeconds,
      now,
      by?.personId ?? '',
      value,
    )
    await savePaymentChanges(deps, uow, [change], now)
    const told = { details: { trade_no: tradeNo }, isExpected: byKey !== undefined }
    recordEvent(deps, uow, { merchantId, type: 'refund_link_made', from, params: { id }, ...told })
    return id
  })
}
