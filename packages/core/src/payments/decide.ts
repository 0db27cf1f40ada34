import { applyPermille, computeSurplus, requestedUnitOf } from '../amounts.ts'
import type {
  Payment,
  PaymentCallback,
  PaymentDeviation,
  PaymentEvent,
  PaymentEventType,
  PaymentRefusal,
  PaymentState,
} from './payment.ts'
import { acceptsPaymentEvent, allowsPaymentTransition } from './transitions.ts'

/** Result of an accepted event: the new state and the callbacks to send. */
export type PaymentDecision = { payment: Payment; callbacks: PaymentCallback[] }

/** Result of a refused event. The payment is unchanged. */
export type RefusedPaymentEvent = { refused: PaymentRefusal }

/**
 * Applies an event to a payment.
 * @param before the payment, or null for `created`
 * @param now unix seconds
 */
export function applyPaymentEvent(
  before: Payment | null,
  event: PaymentEvent,
  now: number,
): PaymentDecision | RefusedPaymentEvent {
  const from = before?.state ?? 'new'
  if (!acceptsPaymentEvent(event.type, from)) return { refused: refusalOf(event.type) }
  const decision = next(before ?? blank, event, now)
  if ('refused' in decision) return decision
  if (!allowsPaymentTransition(event.type, from, decision.payment.state)) return { refused: 'illegal_transition' }
  return decision
}

/** What a payment asks for. */
type Price = Pick<Payment, 'requested' | 'decimals' | 'tolerancePermille'>

/** Returns the minimum amount that counts as paid: the requested amount less the tolerance. */
export const minimumPaid = (payment: Price) => payment.requested - tolerated(payment)

/**
 * Returns the amount by which what is paid may differ: the tolerance, and in any case less than a payer can be
 * charged.
 */
function tolerated({ requested, decimals, tolerancePermille }: Price): bigint {
  const byMerchant = applyPermille(requested, tolerancePermille)
  const untyped = requestedUnitOf(requested, decimals) - 1n
  return byMerchant > untyped ? byMerchant : untyped
}

/** Reports whether nothing is amiss with a paid payment: anybody can send a little more, which changes nothing. */
const isPaidExactly = ({ state, exception }: Payment) => state === 'paid' && exception === 'none'

/** Reports whether the in-time credited amount is sufficient. */
const isEnough = (payment: Payment) =>
  payment.paid /* guard: late-part */ - payment.late /* end */ >= minimumPaid(payment)

/** Returns the amount that no deposit was credited for. Unconfirmed deposits are not subtracted. */
export const uncreditedAmount = ({ requested, paid }: Pick<Payment, 'requested' | 'paid'>) =>
  paid >= requested ? 0n : requested - paid

/** Returns what a payer must still send, in units that can be typed, rounded down; 0 once what was seen is enough. */
export function amountDue(payment: Price & Pick<Payment, 'paid' | 'pending'>): bigint {
  const { requested, decimals, paid, pending } = payment
  if (paid + pending >= minimumPaid(payment)) return 0n
  const unit = requestedUnitOf(requested, decimals)
  return ((requested - paid - pending) / unit) * unit
}

/** Returns what was paid above the requested amount, however little it is. */
const excess = ({ requested, paid }: Payment) => (paid > requested ? paid - requested : 0n)

/** Reports whether the merchant has decided on the payment, so that further deposits do not change it. */
const isMarked = ({ exception }: Payment) => exception === 'marked_paid' || exception === 'marked_invalid'

/** States in which deposits can still be in time. */
const accepting: readonly PaymentState[] = ['open', 'paid', 'in_doubt', 'dropped']

/**
 * Reports whether a deposit in a block of this time is late for the payment.
 * @param blockTime unix seconds
 */
export const isDepositLate = (payment: Payment, blockTime: number) =>
  blockTime > payment.expireAt ||
  (payment.closedAt > 0 && blockTime > payment.closedAt) ||
  isMarked(payment) ||
  !accepting.includes(payment.state)

/**
 * Reports whether a late deposit that a deep reorg moved into a block of this time is in time now. It stays late once
 * the merchant has acted on the payment by closing, marking or refunding it.
 * @param blockTime unix seconds
 */
export const isDepositInTimeAfterReorg = (payment: Payment, blockTime: number, refunded: bigint) =>
  payment.closedAt === 0 && refunded === 0n && !isDepositLate(payment, blockTime)

type Credited = Extract<PaymentEvent, { type: 'deposit_credited' }>

const blank: Payment = {
  state: 'open',
  exception: 'none',
  requested: 0n,
  decimals: 0,
  paid: 0n,
  late: 0n,
  pending: 0n,
  tolerancePermille: 0,
  expireAt: 0,
  paidAt: 0,
  closedAt: 0,
}

function next(payment: Payment, event: PaymentEvent, now: number): PaymentDecision | RefusedPaymentEvent {
  switch (event.type) {
    case 'created':
      return quiet({ ...payment, tolerancePermille: event.tolerancePermille, expireAt: event.expireAt })
    case 'asset_chosen':
      if (now >= payment.expireAt) return { refused: 'payment_ended' }
      if (payment.paid > 0n || payment.pending > 0n) return { refused: 'asset_locked' }
      return quiet({ ...payment, requested: event.requested, decimals: event.decimals })
    case 'deposit_seen': {
      const state = payment.state === 'dropped' && !event.late ? 'open' : payment.state
      return { payment: { ...payment, state, pending: payment.pending + event.counted }, callbacks: ['payment.seen'] }
    }
    case 'deposit_credited':
      return credited(payment, event, now)
    case 'deposit_dropped': {
      const pending = payment.pending - event.counted
      const failed = payment.state === 'open' && pending === 0n && payment.paid === 0n
      if (!failed) return quiet({ ...payment, pending })
      return { payment: { ...payment, pending, state: 'dropped' }, callbacks: ['payment.chain_failure'] }
    }
    case 'deposit_returned':
      return quiet({ ...payment, pending: payment.pending - event.counted })
    case 'deposit_doubted':
      return {
        payment: { ...payment, state: 'in_doubt' },
        callbacks: payment.state === 'in_doubt' ? [] : ['payment.error'],
      }
    case 'deposit_undone':
      return quiet({ ...payment, paid: payment.paid - event.counted })
    case 'deposit_restored':
      return restored(
        event.allInTime && payment.exception === 'late' ? withoutLate(payment) : payment,
        event.refund,
        now,
      )
    case 'expired':
      return { payment: { ...payment, state: 'timed_out' }, callbacks: ['payment.timeout'] }
    case 'closed':
      if (payment.paid > 0n || payment.pending > 0n) return { refused: 'cannot_close' }
      return { payment: { ...payment, state: 'closed', closedAt: now }, callbacks: ['payment.closed'] }
    case 'marked_paid':
      if (payment.pending > 0n) return { refused: 'cannot_mark' }
      return {
        payment: { ...payment, state: 'paid', exception: 'marked_paid', paidAt: payment.paidAt || now },
        callbacks: ['payment.paid'],
      }
    case 'marked_invalid':
      if (payment.pending > 0n) return { refused: 'cannot_mark' }
      return {
        payment: { ...payment, state: 'closed', exception: 'marked_invalid', closedAt: payment.closedAt || now },
        callbacks: ['payment.closed'],
      }
    case 'refund_started':
      if (payment.paid === 0n) return { refused: 'cannot_refund' }
      return quiet({ ...payment, state: 'refunding' })
    case 'refund_finished':
      return quiet({ ...payment, state: event.whole ? 'refunded' : standing(payment, now) })
    case 'refund_undone':
      return quiet({ ...payment, state: 'refunding' })
    case 'refund_cancelled':
      return quiet({ ...payment, state: standing(payment, now) })
  }
}

function credited(before: Payment, { counted, late, aside = 0n }: Credited, now: number): PaymentDecision {
  const payment = { ...before, paid: before.paid + counted, pending: before.pending - counted }
  const isLittle = aside !== null && excess(payment) + aside <= tolerated(payment)
  if (isPaidExactly(before) && isLittle) return quiet(late ? { ...payment, late: payment.late + counted } : payment)
  payment.exception = exceptionOf(payment, late)
  // guard: late-credit
  if (late) return { payment: { ...payment, late: payment.late + counted }, callbacks: ['payment.late'] }
  const callbacks: PaymentCallback[] = []
  if (payment.state === 'open' && isEnough(payment)) {
    payment.state = 'paid'
    payment.paidAt = now
    callbacks.push('payment.paid')
  }
  if (payment.exception === 'over') callbacks.push('payment.over')
  if (payment.exception === 'partial') callbacks.push('payment.partial')
  return { payment, callbacks }
}

/**
 * Returns a payment in doubt to the state given by its credited amount and repeats that state's callback after the
 * error callback. A payment past its deadline becomes open and times out like any other, once its chain has been read
 * through the deadline. One that is being refunded, or was refunded meanwhile, stands as its refund.
 */
function restored(before: Payment, refund: 'started' | 'whole' | undefined, now: number): PaymentDecision {
  const { paidAt, closedAt, exception } = before
  // The remaining amount may have been credited in time while the payment was in doubt.
  const isPaidNow = paidAt === 0 && closedAt === 0 && isEnough(before)
  const payment = isPaidNow ? { ...before, paidAt: now } : before
  // guard: restored-refund
  if (refund) return quiet({ ...payment, state: refund === 'whole' ? 'refunded' : 'refunding' })
  const stands = standing(payment, now)
  const state = stands === 'timed_out' ? 'open' : stands
  const callback = state === 'open' && exception === 'partial' ? 'payment.partial' : standsAt[state]
  return { payment: { ...payment, state }, callbacks: callback ? [callback] : [] }
}

const withoutLate = (payment: Payment): Payment => ({
  ...payment,
  exception: exceptionOf({ ...payment, exception: 'none' }, false),
})

const standsAt: Partial<Record<PaymentState, PaymentCallback>> = { paid: 'payment.paid', closed: 'payment.closed' }

function exceptionOf(payment: Payment, late: boolean): PaymentDeviation {
  if (isMarked(payment)) return payment.exception
  if (late || payment.exception === 'late') return 'late'
  if (computeSurplus(payment) > 0n) return 'over'
  return payment.paid > 0n && payment.paid < minimumPaid(payment) ? 'partial' : 'none'
}

/** Returns the state of a payment outside a refund or a doubt, from its paid amount and deadline. */
function standing(payment: Payment, now: number): PaymentState {
  if (payment.exception === 'marked_paid') return 'paid'
  if (payment.closedAt > 0) return 'closed'
  if (payment.paidAt > 0 && payment.paid >= minimumPaid(payment)) return 'paid'
  return now >= payment.expireAt ? 'timed_out' : 'open'
}

function refusalOf(event: PaymentEventType): PaymentRefusal {
  if (event === 'closed') return 'cannot_close'
  if (event === 'refund_started') return 'cannot_refund'
  if (event === 'marked_paid' || event === 'marked_invalid') return 'cannot_mark'
  return event === 'asset_chosen' ? 'payment_ended' : 'illegal_transition'
}

const quiet = (payment: Payment): PaymentDecision => ({ payment, callbacks: [] })
