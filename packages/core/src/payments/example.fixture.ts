import { decide } from './decide.ts'
import type { Payment, PaymentEvent } from './payment.ts'

/** An open payment of 100 units without deposits. */
export const open: Payment = {
  state: 'open',
  exception: 'none',
  asked: 100n,
  paid: 0n,
  late: 0n,
  pending: 0n,
  tolerancePermille: 0,
  expireAt: 1000,
  paidAt: 0,
  closedAt: 0,
}

export const seen = (counted: bigint, late = false): PaymentEvent => ({ type: 'deposit_seen', counted, late })
export const credited = (counted: bigint, late = false): PaymentEvent => ({ type: 'deposit_credited', counted, late })
export const dropped = (counted: bigint): PaymentEvent => ({ type: 'deposit_dropped', counted })

/** Applies events in order and collects their callbacks. The time is 500; a number among the events changes it. */
export function live(start: Payment, ...events: (PaymentEvent | number)[]): { payment: Payment; told: string[] } {
  let [payment, now] = [start, 500]
  const told: string[] = []
  for (const event of events) {
    if (typeof event === 'number') {
      now = event
      continue
    }
    const decision = decide(payment, event, now)
    if ('refused' in decision) throw new Error(`${event.type} refused: ${decision.refused}`)
    payment = decision.payment
    told.push(...decision.callbacks)
  }
  return { payment, told }
}
