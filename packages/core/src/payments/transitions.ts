import { type PaymentEventType, type PaymentState, paymentStates } from './payment.ts'

type Transitions = Partial<Record<PaymentState | 'new', readonly PaymentState[]>>

/** Accepts the event in every state and keeps the state. */
const unchanged: Transitions = Object.fromEntries(paymentStates.map(state => [state, [state]]))
/** Accepts the event in every state and moves to `to`. */
const all = (to: PaymentState): Transitions => Object.fromEntries(paymentStates.map(state => [state, [to]]))

/**
 * Legal transitions: event, state before (`new` for a payment not yet created), states after. An event is refused in a
 * state that has no entry. A resulting state that is not listed indicates a bug.
 */
export const paymentTransitions: Record<PaymentEventType, Transitions> = {
  created: { new: ['open'] },
  asset_chosen: { open: ['open'], dropped: ['dropped'] },
  // A deposit seen after a reorg reopens a dropped payment.
  deposit_seen: { ...unchanged, dropped: ['open', 'dropped'] },
  // Deposits credited after the end belong to the merchant but do not reopen the payment.
  deposit_credited: { ...unchanged, open: ['open', 'paid'] },
  deposit_dropped: { ...unchanged, open: ['open', 'dropped'] },
  // Given back to its sender, by whom it was not meant to pay.
  deposit_returned: unchanged,
  deposit_doubted: all('in_doubt'),
  deposit_undone: { in_doubt: ['in_doubt'] },
  // A payment restored past its deadline is open until it times out.
  deposit_restored: { in_doubt: ['open', 'paid', 'closed', 'refunding', 'refunded'] },
  expired: { open: ['timed_out'], dropped: ['timed_out'] },
  closed: { open: ['closed'], dropped: ['closed'] },
  // A payment in doubt gets a way out once the operator has decided on its deposits; the commands check that.
  marked_paid: { open: ['paid'], dropped: ['paid'], timed_out: ['paid'], closed: ['paid'], in_doubt: ['paid'] },
  marked_invalid: {
    open: ['closed'],
    dropped: ['closed'],
    timed_out: ['closed'],
    paid: ['closed'],
    in_doubt: ['closed'],
  },
  refund_started: { paid: ['refunding'], timed_out: ['refunding'], closed: ['refunding'], in_doubt: ['refunding'] },
  // A partial refund returns the payment to its previous state.
  refund_finished: { refunding: ['paid', 'timed_out', 'closed', 'refunded'] },
  refund_cancelled: { refunding: ['paid', 'timed_out', 'closed'] },
  refund_undone: { refunded: ['refunding'], paid: ['refunding'], timed_out: ['refunding'], closed: ['refunding'] },
}

/** Reports whether the event is accepted in this state. */
export const acceptsPaymentEvent = (event: PaymentEventType, from: PaymentState | 'new') =>
  paymentTransitions[event][from] !== undefined

/** Reports whether the event may move a payment from one state to the other. */
export const allowsPaymentTransition = (event: PaymentEventType, from: PaymentState | 'new', to: PaymentState) =>
  paymentTransitions[event][from]?.includes(to) ?? false
