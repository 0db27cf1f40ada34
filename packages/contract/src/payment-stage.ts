import { nameOf, type PaymentState, paymentStatus } from './codes.ts'

/** What becomes of a payment, as its payer and the person at the counter see it. */
export type Stage = 'choose' | 'wait' | 'confirm' | 'partial' | Exclude<PaymentState, 'open' | 'dropped'>

/** The parts of a checkout that decide its stage: decimal strings of the chosen asset, and the deposits detected so far. */
interface Seen {
  status: number
  chosen: { paid: string; rest: string } | null
  deposits: readonly { state: string }[]
}

/** The stage of a payment. What was seen but is less than the amount due is `partial`, also while it confirms. */
export function stageOf({ status, chosen, deposits }: Seen): Stage {
  const state = nameOf(paymentStatus, status)
  if (state !== undefined && state !== 'open' && state !== 'dropped') return state
  if (!chosen) return 'choose'
  const waits = deposits.some(deposit => deposit.state === 'seen')
  if (waits && chosen.rest === '0') return 'confirm'
  if (chosen.paid !== '0' || waits) return 'partial'
  return 'wait'
}
