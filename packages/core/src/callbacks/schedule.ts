/** Seconds to wait after the 1st, 2nd, ... failed attempt: twelve attempts over about three days. */
export const callbackRetryDelaySeconds = [10, 30, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400] as const

/**
 * Events that report progress towards an outcome. Once a later callback of the same payment or payout is delivered, a
 * failed one of these is not sent again: the later body holds all that it said.
 */
export const progressEvents: readonly string[] = [
  'payment.seen',
  'payment.partial',
  'payment.chain_failure',
  'withdrawal.created',
  'withdrawal.approved',
  'withdrawal.sent',
  'withdrawal.confirming',
  'refund.created',
  'refund.sent',
  'refund.confirming',
]

/**
 * `retrying`: the last attempt failed and another is due. `withheld`: it says that its order is paid in full, which it
 * is not, or no longer, so it is not attempted.
 */
export type CallbackState = 'pending' | 'delivered' | 'retrying' | 'given_up' | 'withheld'

/** State of a callback before an attempt. */
export interface ScheduledCallback {
  state: CallbackState
  /** Scheduled attempts made so far; manual attempts are not counted. */
  tries: number
  /** Whether this attempt was requested manually. */
  manual: boolean
  /** Whether this is a test callback, which is attempted once. */
  test: boolean
}

export interface CallbackAttemptOutcome {
  state: CallbackState
  tries: number
  /** Unix seconds; null if there are no further attempts. */
  nextAt: number | null
  /** Whether this attempt was the last one and the merchant must be notified. */
  gaveUp: boolean
}

/**
 * Returns the state of a callback after an attempt. `now` is in unix seconds. `random`, from 0 to 1, applies a jitter
 * of ±10% to the retry delay. A manual attempt does not count as a scheduled one. If it fails, a delivered or given-up
 * callback stays as it was.
 */
export function advanceCallback(
  before: ScheduledCallback,
  ok: boolean,
  now: number,
  random: number,
): CallbackAttemptOutcome {
  if (ok) return { state: 'delivered', tries: before.tries + (before.manual ? 0 : 1), nextAt: null, gaveUp: false }
  if (before.manual && (before.state === 'delivered' || before.state === 'given_up'))
    return { state: before.state, tries: before.tries, nextAt: null, gaveUp: false }
  const tries = before.tries + (before.manual ? 0 : 1)
  const delay = before.test ? undefined : callbackRetryDelaySeconds[Math.max(tries, 1) - 1]
  if (delay === undefined) return { state: 'given_up', tries, nextAt: null, gaveUp: !before.test }
  return { state: 'retrying', tries, nextAt: now + Math.round(delay * (0.9 + 0.2 * random)), gaveUp: false }
}

/**
 * Seconds until a withheld callback is looked at again: while the state of its payment is about to change, and
 * otherwise.
 */
const soon = 60
const later = 3_600
/**
 * For how long (seconds) a callback may go out whose payment is in a final state: as long as one that fails is
 * attempted.
 */
const withheldMax = 3 * 86_400

/**
 * Returns the state of a due callback that is not attempted, because its order is not paid in full: no attempt is
 * counted, and none is made until the order is. `isOpen`: a reorganization or a refund of the payment is undecided.
 * Otherwise `nextAt` ends three days after `createdAt` (Unix seconds). A delivered or given-up callback that was to be
 * sent again manually stays as it was.
 */
export function withholdCallback(
  before: ScheduledCallback,
  { now, createdAt, isOpen }: { now: number; createdAt: number; isOpen: boolean },
): Omit<CallbackAttemptOutcome, 'gaveUp'> {
  const { state, tries, manual } = before
  if (manual && (state === 'delivered' || state === 'given_up')) return { state, tries, nextAt: null }
  const nextAt = isOpen ? now + soon : now + later <= createdAt + withheldMax ? now + later : null
  return { state: 'withheld', tries, nextAt }
}
