import { permille } from '../amounts.ts'
import type {
  Exception,
  Payment,
  PaymentCallback,
  PaymentEvent,
  PaymentEventType,
  PaymentRefusal,
  Status,
} from './payment.ts'
import { accepts, allows } from './transitions.ts'

/** What follows from an event: the next state, and whom to tell what. */
export type PaymentDecision = { payment: Payment; callbacks: PaymentCallback[] }

/** A named no. Nothing changes. */
export type Refused = { refused: PaymentRefusal }

/**
 * Decides what an event makes of a payment.
 * @param before the payment, or null for `created`
 * @param now unix seconds
 */
export function decide(before: Payment | null, event: PaymentEvent, now: number): PaymentDecision | Refused {
  const from = before?.status ?? 0
  if (!accepts(event.type, from)) return { refused: refusalOf(event.type) }
  const decision = next(before ?? blank, event, now)
  if ('refused' in decision) return decision
  if (!allows(event.type, from, decision.payment.status)) return { refused: 'illegal_transition' }
  return decision
}

/** The least that counts as paid: what is asked, less the tolerance. */
export const enough = ({ asked, tolerancePermille }: Pick<Payment, 'asked' | 'tolerancePermille'>) =>
  asked - permille(asked, tolerancePermille)

/** Whether enough came in time. */
const isEnough = (payment: Payment) => payment.paid - payment.late >= enough(payment)

/** What is still to be paid, what is on its way not counted. */
export const rest = ({ asked, paid }: Payment) => (paid >= asked ? 0n : asked - paid)

/** What came beyond what is asked. */
export const surplus = ({ asked, paid }: Payment) => (paid > asked ? paid - asked : 0n)

/**
 * Whether money in a block of this time comes too late for the payment.
 * @param blockTime unix seconds
 */
export const isLate = (payment: Payment, blockTime: number) =>
  blockTime > payment.expireAt ||
  (payment.closedAt > 0 && blockTime > payment.closedAt) ||
  ![1, 2, 7, 8].includes(payment.status)

const blank: Payment = {
  status: 1,
  exception: 'none',
  asked: 0n,
  paid: 0n,
  late: 0n,
  pending: 0n,
  tolerancePermille: 0,
  expireAt: 0,
  paidAt: 0,
  closedAt: 0,
}

function next(payment: Payment, event: PaymentEvent, now: number): PaymentDecision | Refused {
  switch (event.type) {
    case 'created':
      return quiet({ ...payment, tolerancePermille: event.tolerancePermille, expireAt: event.expireAt })
    case 'asset_chosen':
      if (now >= payment.expireAt) return { refused: 'transaction_ended' }
      if (payment.paid > 0n || payment.pending > 0n) return { refused: 'asset_locked' }
      return quiet({ ...payment, asked: event.asked })
    case 'deposit_seen': {
      const status = payment.status === 8 && !event.late ? 1 : payment.status
      return { payment: { ...payment, status, pending: payment.pending + event.counted }, callbacks: ['payment.seen'] }
    }
    case 'deposit_credited':
      return credited(payment, event.counted, event.late, now)
    case 'deposit_dropped': {
      const pending = payment.pending - event.counted
      const failed = payment.status === 1 && pending === 0n && payment.paid === 0n
      if (!failed) return quiet({ ...payment, pending })
      return { payment: { ...payment, pending, status: 8 }, callbacks: ['payment.chain_failure'] }
    }
    case 'deposit_doubted':
      return { payment: { ...payment, status: 7 }, callbacks: payment.status === 7 ? [] : ['payment.error'] }
    case 'deposit_undone':
      return quiet({ ...payment, paid: payment.paid - event.counted })
    case 'deposit_restored':
      return restored(payment, now)
    case 'expired':
      return { payment: { ...payment, status: 3 }, callbacks: ['payment.timeout'] }
    case 'closed':
      if (payment.paid > 0n || payment.pending > 0n) return { refused: 'transaction_cannot_close' }
      return { payment: { ...payment, status: 4, closedAt: now }, callbacks: ['payment.closed'] }
    case 'refund_started':
      if (payment.paid === 0n) return { refused: 'cannot_refund' }
      return quiet({ ...payment, status: 5 })
    case 'refund_finished':
      return quiet({ ...payment, status: event.whole ? 6 : standing(payment, now) })
    case 'refund_cancelled':
      return quiet({ ...payment, status: standing(payment, now) })
  }
}

function credited(before: Payment, counted: bigint, late: boolean, now: number): PaymentDecision {
  const payment = { ...before, paid: before.paid + counted, pending: before.pending - counted }
  payment.exception = exceptionOf(payment, late)
  if (late) return { payment: { ...payment, late: payment.late + counted }, callbacks: ['payment.late'] }
  const callbacks: PaymentCallback[] = []
  if (payment.status === 1 && isEnough(payment)) {
    payment.status = 2
    payment.paidAt = now
    callbacks.push('payment.paid')
  }
  if (payment.exception === 'over') callbacks.push('payment.over')
  if (payment.exception === 'partial') callbacks.push('payment.partial')
  return { payment, callbacks }
}

/**
 * Nothing is in doubt any more: the payment stands where its money puts it, and that is told again after the error. Time
 * that is over by the clock ends it as it ends others, once its chain was read up to there.
 */
function restored(before: Payment, now: number): PaymentDecision {
  const { paidAt, closedAt, exception } = before
  // The rest may have come in time meanwhile.
  const isPaidNow = paidAt === 0 && closedAt === 0 && isEnough(before)
  const payment = isPaidNow ? { ...before, paidAt: now } : before
  const stands = standing(payment, now)
  const status = stands === 3 ? 1 : stands
  const told = status === 1 && exception === 'partial' ? 'payment.partial' : standsAt[status]
  return { payment: { ...payment, status }, callbacks: told ? [told] : [] }
}

const standsAt: Partial<Record<Status, PaymentCallback>> = {
  2: 'payment.paid',
  4: 'payment.closed',
}

function exceptionOf(payment: Payment, late: boolean): Exception {
  if (late || payment.exception === 'late') return 'late'
  if (payment.paid > payment.asked) return 'over'
  return payment.paid > 0n && payment.paid < enough(payment) ? 'partial' : 'none'
}

/** Where a payment stands by what was paid for it, once nothing else decides. */
function standing(payment: Payment, now: number): Status {
  if (payment.closedAt > 0) return 4
  if (payment.paidAt > 0 && payment.paid >= enough(payment)) return 2
  return now >= payment.expireAt ? 3 : 1
}

function refusalOf(event: PaymentEventType): PaymentRefusal {
  if (event === 'closed') return 'transaction_cannot_close'
  if (event === 'refund_started') return 'cannot_refund'
  return event === 'asset_chosen' ? 'transaction_ended' : 'illegal_transition'
}

const quiet = (payment: Payment): PaymentDecision => ({ payment, callbacks: [] })
