import type { Deps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { clearThrottle, countThrottle } from '../store/throttles.ts'
import { ipKey } from '../visitor.ts'

/** At most `max` within `seconds`, counted from the first. */
export interface Pace {
  max: number
  seconds: number
}

/** Counts one more and refuses with `frequent_operation` what is more than the pace allows. */
export async function throttle(deps: Deps, key: string, pace: Pace): Promise<void> {
  const n = await countThrottle(deps.pool, key, deps.clock(), pace.seconds)
  if (n > pace.max) throw new Refusal('frequent_operation')
}

/** The same for everything that comes from one visitor's network. In the sandbox everybody comes from one machine. */
export const throttleIp = (deps: Deps, what: string, ip: string, pace: Pace): Promise<void> =>
  throttle(deps, `${what} ip ${ipKey(ip)}`, {
    max: pace.max * (deps.config.mode === 'sandbox' ? 1_000 : 1),
    seconds: pace.seconds,
  })

/** Starts counting anew: what was tried has succeeded. */
export const forgive = (deps: Deps, key: string) => clearThrottle(deps.pool, key)

/** Changes of a merchant's profile and applications: each is written down for good. */
export const throttleChanges = (deps: Deps, merchantId: string): Promise<void> =>
  throttle(deps, `changes ${merchantId}`, { max: 300, seconds: 3_600 })
