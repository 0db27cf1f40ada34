import { codeNameOf, type PaymentState, paymentStatus } from '../codes.ts'

/** What becomes of a payment, as its payer and the person at the counter see it. */
export type CheckoutStage = 'choose' | 'wait' | 'confirm' | 'partial' | Exclude<PaymentState, 'open' | 'dropped'>

/** The parts of a checkout that decide its stage: decimal strings of the chosen asset. */
interface Seen {
  status: number
  chosen: { paid: string; pending: string; rest: string } | null
}

/** The stage of a payment. What counts but is less than the amount due is `partial`, also while it confirms. */
export function checkoutStageOf({ status, chosen }: Seen): CheckoutStage {
  const state = codeNameOf(paymentStatus, status)
  if (state !== undefined && state !== 'open' && state !== 'dropped') return state
  if (!chosen) return 'choose'
  const waits = chosen.pending !== '0'
  if (waits && chosen.rest === '0') return 'confirm'
  if (chosen.paid !== '0' || waits) return 'partial'
  return 'wait'
}
