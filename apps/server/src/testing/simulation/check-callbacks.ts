import assert from 'node:assert/strict'
import { callbackStatus, codeNameOf, type PaymentState, paymentStatus } from '@coffer/contract'
import { paidEvents } from '../../domains/callbacks/paid-in-full.ts'
import { rowsOf } from '../money.ts'
import type { World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of tables
type Row = any
type State = PaymentState | 'new'

/** Asserts that each payment's callbacks match its history in number and order, and arrive as they were queued. */
export async function assertCallbacks(world: World): Promise<void> {
  const { owner, came } = world
  const callbacks = await rowsOf(owner, `select * from callbacks order by trade_no, seq`)
  const of = Map.groupBy(callbacks, each => each.trade_no)
  const history = Map.groupBy(
    await rowsOf(owner, 'select * from payment_history order by trade_no, seq'),
    each => each.trade_no,
  )
  const lateOf = await lateCredits(world)
  for (const payment of await world.payments()) {
    const { trade_no } = payment
    const steps = history.get(trade_no) ?? []
    const reported = of.get(trade_no) ?? []
    const numbers = [...steps, ...reported].map(each => each.seq).sort((a, b) => a - b)
    assert.deepEqual(
      numbers,
      Array.from({ length: payment.events }, (_, i) => i + 1),
      `${payment.out_trade_no} is numbered without gaps`,
    )
    assertReported(payment, steps, reported)
    const late = reported.filter(each => each.event === 'payment.late').length
    const isLate = lateOf.get(trade_no) ?? 0
    // Late money that a deep reorg moved into time was reported as late before.
    const moved = steps.some(each => each.event === 'deposit_doubted')
    // What comes within the tolerance of a paid payment is not reported; the exception says whether more came.
    const few = payment.paid_at > 0 && payment.tolerance_permille > 0
    const least = payment.exception === 'late' ? 1 : 0
    const isReported = late === isLate || (moved && late > isLate) || (few && late < isLate && late >= least)
    assert(isReported, `${payment.out_trade_no}: late money is reported once each`)
  }
  assertCame(callbacks, came, await unpaidPayments(world), await withheldOnce(world))
}

/** Whether a callback said that its order is paid, and was not signed since money went back or is in doubt. */
const isWithheld = ({ event, result, trade_no }: Row, unpaid: Set<string>) =>
  result === 'not_paid' && paidEvents.includes(event) && unpaid.has(trade_no)

/** Returns the payments that are not paid, or of which anything went back. */
async function unpaidPayments({ owner }: World): Promise<Set<string>> {
  const rows = await rowsOf(
    owner,
    `select trade_no from payments where status <> ${paymentStatus.paid} union select trade_no from payment_refunds where refunded > 0`,
  )
  return new Set(rows.map(each => each.trade_no))
}

/** Returns the callbacks of which an attempt was not sent, because their order was not paid then. */
async function withheldOnce({ owner }: World): Promise<Set<string>> {
  const rows = await rowsOf(owner, `select callback_id from callback_attempts where result = 'not_paid'`)
  return new Set(rows.map(each => each.callback_id))
}

function assertReported({ out_trade_no }: Row, steps: Row[], reported: Row[]): void {
  let before: State = 'new'
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1]?.seq ?? Number.POSITIVE_INFINITY
    const events = reported.filter(each => each.seq > step.seq && each.seq < next).map(each => each.event)
    const state = codeNameOf(paymentStatus, step.status)!
    const allowed = eventsAfter(step, before, state)
    assert(
      allowed.some(each => each.join() === events.join()),
      `${out_trade_no}: after ${step.event} (${before} to ${state}, ${step.exception}) reported ${events}, not ${allowed.join(' or ')}`,
    )
    before = state
  }
}

/** Events sent when the last doubted deposit of a payment is restored, by the state that the payment returns to. */
const restoredTo: Partial<Record<State, string[]>> = { paid: ['payment.paid'], closed: ['payment.closed'] }

/** Returns the event sequences allowed after a history step. Late deposits allow more than one. */
function eventsAfter({ event, exception }: Row, before: State, state: State): string[][] {
  const paid = before === 'open' && state === 'paid' ? ['payment.paid'] : []
  switch (event) {
    case 'deposit_seen':
      return [['payment.seen']]
    case 'deposit_credited':
      if (['late', 'marked_paid', 'marked_invalid'].includes(exception))
        return before === state ? [['payment.late'], []] : [paid]
      return [exception === 'none' ? paid : [...paid, `payment.${exception}`]]
    case 'deposit_dropped':
      return [before === 'open' && state === 'dropped' ? ['payment.chain_failure'] : []]
    case 'deposit_doubted':
      return [before === 'in_doubt' ? [] : ['payment.error']]
    case 'deposit_restored':
      return [restoredTo[state] ?? (exception === 'partial' ? ['payment.partial'] : [])]
    case 'expired':
      return [['payment.timeout']]
    case 'closed':
    case 'marked_invalid':
      return [['payment.closed']]
    case 'marked_paid':
      return [['payment.paid']]
    default:
      return [[]]
  }
}

async function lateCredits({ owner }: World): Promise<Map<string, number>> {
  const rows = await rowsOf(
    owner,
    `select trade_no, count(*)::int as n from deposits
     where late and state in ('credited', 'undone') and trade_no is not null
       and not returned group by trade_no`,
  )
  return new Map(rows.map(each => [each.trade_no, each.n]))
}

/**
 * Asserts that the merchant's server received every queued callback, unmodified, in order per payment or payout, and no
 * others.
 */
function assertCame(callbacks: Row[], came: World['came'], unpaid: Set<string>, withheld: Set<string>): void {
  const bodies = new Map(callbacks.map(each => [each.id, each.body]))
  const first = new Map<string, number>()
  for (const [place, { id, body }] of came.entries()) {
    assert.equal(body, bodies.get(id), `callback ${id} came with another body than was queued, or was never queued`)
    if (!first.has(id)) first.set(id, place)
  }
  // Events of a withdrawal from the page go to every application.
  const sent = callbacks.filter(each => !isWithheld(each, unpaid))
  for (const [trade_no, own] of Map.groupBy(sent, each => `${each.trade_no} for ${each.appid}`)) {
    const isSuperseded = ({ result, seq }: Row) =>
      result === 'superseded' && own.some(each => each.seq > seq && each.status === callbackStatus.delivered)
    assert(
      own.every(each => each.status === callbackStatus.delivered || isSuperseded(each)),
      `${trade_no}: not every callback was confirmed or superseded`,
    )
    const places = own.map(each => first.get(each.id) ?? -1)
    assert(!places.includes(-1), `${trade_no}: a callback never came`)
    // Deposits of customers are reported in no order.
    if (own[0].trade_no === '') continue
    // The first attempt at these was not sent, which holds back no other.
    const inOrder = own.filter(each => !withheld.has(each.id)).map(each => first.get(each.id)!)
    assert.deepEqual(
      inOrder,
      inOrder.toSorted((a, b) => a - b),
      `${trade_no}: callbacks came out of order`,
    )
  }
}
