import { kinds } from '@coffer/chains'
import { reserveRefund } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newTradeNo } from '../../kit/ids.ts'
import { hints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { payableDestination } from '../destinations/explain-destination.ts'
import { recordKnown } from '../destinations/known-addresses.ts'
import { checkProof, type Proof, passkeyTime } from '../identity/proofs/check-proof.ts'
import { postings } from '../ledger/store.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { mailEvent } from '../merchants/mails.ts'
import { lockMerchant } from '../merchants/store.ts'
import { PaymentChange, saveChanges } from '../payments/payment-changes.ts'
import { lockPaymentOf, mustBeSettled, readPaymentOf } from '../payments/store.ts'
import { type ByKey, numberUsed } from '../withdrawals/once-per-number.ts'
import { checkRefund, quoteRefund, type RefundRequest } from './eligibility.ts'
import { callBack } from './notify.ts'
import { addRefunded, insertRefund, readStored, refundByOutNo } from './store.ts'

interface RequestRefund extends RefundRequest {
  merchantId: string
  /** The API key that makes the request; without it, the merchant does, with a proof. */
  byKey?: ByKey | undefined
  tradeNo: string
  address: string
  reason: string
  proof?: Proof | undefined
  from: Visitor
}

/**
 * Gives a payment back to an address: reserves the amount, moves the payment to "under refund" and queues the refund to
 * be sent. One refund of a payment at a time. Returns its number. Throws Refusal('reference_conflict') if the
 * application has used its number.
 */
export async function requestRefund(deps: Deps, input: RequestRefund): Promise<string> {
  const { merchantId, byKey, tradeNo, address, reason, proof, from, ...request } = input
  const unlocked = await readPaymentOf(deps.pool, merchantId, tradeNo)
  if (!unlocked || (byKey && unlocked.appid !== byKey.appid))
    throw new Refusal('transaction_not_exist', { field: 'trade_no' })
  const quote = await quoteRefund(deps, unlocked)
  const { asset } = quote
  const { to, warnings } = await payableDestination(deps, merchantId, asset, address)
  const data = { trade_no: tradeNo, kind: request.kind, address, ...(request.amount && { amount: request.amount }) }
  const consume = byKey ? undefined : await checkProof(deps, { merchantId, proof, action: 'withdrawal', data })
  const made = await tx(deps.pool, async (c, uow) => {
    // As for withdrawals: each request of a merchant sees what those before have used of its windows.
    const merchant = await lockMerchant(c, merchantId)
    if (!merchant) throw new Refusal('login_expired')
    if (byKey && (await refundByOutNo(c, merchantId, byKey.appid, byKey.outNo))) throw numberUsed()
    const payment = await lockPaymentOf(c, merchantId, tradeNo)
    if (!payment || payment.asset_id !== asset.id) throw new Refusal('cannot_refund', { field: 'trade_no' })
    const now = deps.clock()
    const change = new PaymentChange(payment)
    change.reason = reason.trim()
    await mustBeSettled(c, tradeNo)
    change.apply({ type: 'refund_started' }, now)
    const passkeyAt = passkeyTime(deps, proof)
    const { terms, value, refusal } = await checkRefund(deps, c, {
      merchant,
      payment,
      request,
      to,
      quote,
      passkeyAt,
      byKey: byKey !== undefined,
    })
    if (refusal) throw refusal
    await consume?.(c)
    const id = newTradeNo(now)
    const { amount, gas, receives, total } = terms
    await addRefunded(c, merchantId, tradeNo, payment.paid_amount, amount)
    await recordKnown(c, [{ merchant_id: merchantId, chain_id: asset.chain_id, address: to, payer: true }])
    await insertRefund(
      c,
      merchantId,
      id,
      tradeNo,
      payment.appid,
      asset.id,
      asset.chain_id,
      to,
      request.kind,
      request.basis,
      request.gasPayer,
      amount,
      gas,
      receives,
      total,
      value,
      reason.trim(),
      now,
      byKey?.outNo,
      byKey?.bodyHash,
      amount,
      0,
      passkeyAt !== null,
      warnings,
    )
    await saveChanges(deps, uow, [change], now)
    const group = reserveRefund({ id, merchantId, assetId: asset.id, ...terms })
    uow.add(postings, [{ group, memo: { trade_no: tradeNo, to_address: to }, at: now }])
    uow.add(hints, [{ merchant_id: merchantId, type: 'payment', id: tradeNo }])
    callBack(uow, (await readStored(c, merchantId, id))!, 'refund.created', now)
    recordEvent(deps, uow, { merchantId, type: 'refund_requested', from, params: { id } })
    return { id, merchant }
  })
  if (byKey) return made.id
  mailEvent(deps, made.merchant, 'refund_requested', `${tradeNo}, ${kinds[asset.kind].address.show(to)}`)
  return made.id
}
