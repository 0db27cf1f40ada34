import { type PaymentEventType, type PaymentState, paymentStates } from './payment.ts'

type Transitions = Partial<Record<PaymentState | 'new', readonly PaymentState[]>>

/** Every state, left as it is. */
const unchanged: Transitions = Object.fromEntries(paymentStates.map(state => [state, [state]]))
/** From every state. */
const all = (to: PaymentState): Transitions => Object.fromEntries(paymentStates.map(state => [state, [to]]))

/**
 * Every legal transition: event, state before (`new` for a payment that does not exist yet), states after. A state that is
 * not named before an event refuses the event; one that is not named after it is a fault of ours.
 */
export const transitions: Record<PaymentEventType, Transitions> = {
  created: { new: ['open'] },
  asset_chosen: { open: ['open'], dropped: ['dropped'] },
  // Money that is seen again after it had left the chain opens the payment again.
  deposit_seen: { ...unchanged, dropped: ['open', 'dropped'] },
  // Money after the end stays the merchant's and does not bring the payment back.
  deposit_credited: { ...unchanged, open: ['open', 'paid'] },
  deposit_dropped: { ...unchanged, open: ['open', 'dropped'] },
  deposit_doubted: all('in_doubt'),
  deposit_undone: { in_doubt: ['in_doubt'] },
  // One whose time is over is open until it times out, as others are.
  deposit_restored: { in_doubt: ['open', 'paid', 'closed'] },
  expired: { open: ['timed_out'], dropped: ['timed_out'] },
  closed: { open: ['closed'], dropped: ['closed'] },
  refund_started: { paid: ['refunding'], timed_out: ['refunding'], closed: ['refunding'] },
  // A refund of a part leaves the payment as it was.
  refund_finished: { refunding: ['paid', 'timed_out', 'closed', 'refunded'] },
  refund_cancelled: { refunding: ['paid', 'timed_out', 'closed'] },
}

/** Whether a payment in this state can meet the event at all. */
export const accepts = (event: PaymentEventType, from: PaymentState | 'new') => transitions[event][from] !== undefined

/** Whether the event may lead from one state to the other. */
export const allows = (event: PaymentEventType, from: PaymentState | 'new', to: PaymentState) =>
  transitions[event][from]?.includes(to) ?? false
