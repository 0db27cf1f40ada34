import { applyPaymentEvent } from './decide.ts'
import type { Payment, PaymentEvent } from './payment.ts'

/** An open payment of 100 units without deposits. */
export const exampleOpenPayment: Payment = {
  state: 'open',
  exception: 'none',
  requested: 100n,
  decimals: 0,
  paid: 0n,
  late: 0n,
  pending: 0n,
  tolerancePermille: 0,
  expireAt: 1000,
  paidAt: 0,
  closedAt: 0,
}

export const depositSeenEvent = (counted: bigint, late = false): PaymentEvent => ({
  type: 'deposit_seen',
  counted,
  late,
})
export const depositCreditedEvent = (counted: bigint, late = false): PaymentEvent => ({
  type: 'deposit_credited',
  counted,
  late,
})
export const depositDroppedEvent = (counted: bigint): PaymentEvent => ({ type: 'deposit_dropped', counted })

const verbs: Record<string, (amount: bigint, how: string | undefined) => PaymentEvent> = {
  create: () => ({ type: 'created', tolerancePermille: 0, expireAt: 1 }),
  choose: requested => ({ type: 'asset_chosen', requested, decimals: 0 }),
  see: (counted, how) => depositSeenEvent(counted, how === 'late'),
  credit: (counted, how) => depositCreditedEvent(counted, how === 'late'),
  'credit other': (aside, how) => ({ ...depositCreditedEvent(0n, how === 'late'), aside }) as PaymentEvent,
  'credit unpriced': (_, how) => ({ ...depositCreditedEvent(0n, how === 'late'), aside: null }) as PaymentEvent,
  drop: depositDroppedEvent,
  doubt: () => ({ type: 'deposit_doubted' }),
  undo: counted => ({ type: 'deposit_undone', counted }),
  restore: () => ({ type: 'deposit_restored' }),
  'restore refunding': () => ({ type: 'deposit_restored', refund: 'started' }),
  'restore refunded': () => ({ type: 'deposit_restored', refund: 'whole' }),
  expire: () => ({ type: 'expired' }),
  close: () => ({ type: 'closed' }),
  'mark paid': () => ({ type: 'marked_paid' }),
  'mark invalid': () => ({ type: 'marked_invalid' }),
  refund: () => ({ type: 'refund_started' }),
  'refund all': () => ({ type: 'refund_finished', whole: true }),
  'refund some': () => ({ type: 'refund_finished', whole: false }),
  'cancel refund': () => ({ type: 'refund_cancelled' }),
  'undo refund': () => ({ type: 'refund_undone' }),
}

/** Reads events from words, such as `see 100 late, at 1001, credit 100 late`. */
export function parsePaymentEvents(text: string): (PaymentEvent | number)[] {
  return text.split(', ').map(step => {
    const [verb = '', amount, how] = step.split(/ (?=\d)| (?=late)/)
    return verb === 'at' ? Number(amount) : verbs[verb]!(BigInt(amount ?? 0), how)
  })
}

/** Applies events in order and collects their callbacks. The time is 500; a number among the events changes it. */
export function replayPaymentEvents(
  start: Payment,
  ...events: (PaymentEvent | number)[]
): { payment: Payment; sent: string[] } {
  let payment = start
  let now = 500
  const sent: string[] = []
  for (const event of events) {
    if (typeof event === 'number') {
      now = event
      continue
    }
    const decision = applyPaymentEvent(payment, event, now)
    if ('refused' in decision) throw new Error(`${event.type} refused: ${decision.refused}`)
    payment = decision.payment
    sent.push(...decision.callbacks)
  }
  return { payment, sent }
}
