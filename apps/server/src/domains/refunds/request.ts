import type { Deps } from '../../deps.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { readMerchantPayment } from '../payments/store.ts'
import type { PayoutReference } from '../withdrawals/once-per-number.ts'
import { quoteRefund, type RefundQuote, type RefundRequest } from './eligibility.ts'

/** A request to refund a payment, to an address or by a link, and who makes it. */
export interface RequestedRefund extends RefundRequest {
  merchantId: string
  /** The API key that makes the request; without it, the merchant does, with a proof. */
  byKey?: PayoutReference | undefined
  tradeNo: string
  reason: string
  proof?: Proof | undefined
  from: Visitor
}

/** Quotes the refund of the payment that a request names. Throws a Refusal when the caller has no such payment. */
export async function quoteRequestedRefund(
  deps: Deps,
  { merchantId, byKey, tradeNo }: RequestedRefund,
): Promise<RefundQuote> {
  const payment = await readMerchantPayment(deps.pool, merchantId, tradeNo)
  if (!payment || (byKey && payment.appid !== byKey.appid))
    throw new Refusal('transaction_not_exist', { field: 'trade_no' })
  return quoteRefund(deps, payment)
}

/** Checks the proof of a request. Returns what consumes it in the transaction; an application has none. */
export async function checkRequestProof(deps: Deps, requested: RequestedRefund, address: string) {
  const { merchantId, byKey, tradeNo, kind, amount, proof } = requested
  if (byKey) return undefined
  const data = { trade_no: tradeNo, kind, address, ...(amount && { amount }) }
  return checkProof(deps, { by: readMember(merchantId, requested.from), proof, action: 'withdrawal', data })
}
