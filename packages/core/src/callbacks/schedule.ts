/** Seconds until the next attempt after the 1st, 2nd, ... one failed: twelve attempts over about three days. */
export const retryDelays = [10, 30, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400] as const

/** Seconds for which later callbacks of a payment wait behind an earlier one that is still being tried. */
export const orderPatience = 120

/** `retrying`: the last attempt failed and another is due. */
export type CallbackState = 'pending' | 'delivered' | 'retrying' | 'given_up'

/** A callback as an attempt finds it. */
export interface Callback {
  state: CallbackState
  /** Attempts made by the schedule, those that a person asked for not counted. */
  tries: number
  /** Whether a person asked for this attempt. */
  manual: boolean
  /** A test: one attempt and no more. */
  test: boolean
}

export interface AfterAttempt {
  state: CallbackState
  tries: number
  /** Unix seconds; null when it is not tried again. */
  nextAt: number | null
  /** True for the attempt that ended the trying: the merchant is told. */
  gaveUp: boolean
}

/**
 * What becomes of a callback after an attempt. `now` is unix seconds, `random` a number from 0 up to 1 that spreads
 * retries by a tenth to either side. An attempt asked for by a person leaves the schedule as it was, and takes nothing
 * back that was confirmed before.
 */
export function afterAttempt(before: Callback, ok: boolean, now: number, random: number): AfterAttempt {
  if (ok) return { state: 'delivered', tries: before.tries + (before.manual ? 0 : 1), nextAt: null, gaveUp: false }
  if (before.manual && (before.state === 'delivered' || before.state === 'given_up'))
    return { state: before.state, tries: before.tries, nextAt: null, gaveUp: false }
  const tries = before.tries + (before.manual ? 0 : 1)
  const delay = before.test ? undefined : retryDelays[Math.max(tries, 1) - 1]
  if (delay === undefined) return { state: 'given_up', tries, nextAt: null, gaveUp: !before.test }
  return { state: 'retrying', tries, nextAt: now + Math.round(delay * (0.9 + 0.2 * random)), gaveUp: false }
}
