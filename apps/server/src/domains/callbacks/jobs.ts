import { setTimeout as pause } from 'node:timers/promises'
import type { CallbackForms } from '../../callback-form.ts'
import type { Deps } from '../../deps.ts'
import { loop } from '../../kit/loop.ts'
import type { Resolve } from '../../outside/addresses.ts'
import { pauseOf } from '../chains/pause-queue.ts'
import { leaseCallbacks } from './callback-lease.ts'
import { deliverCallback } from './deliver-callback.ts'
import { Receivers } from './receivers.ts'

/** Lease duration in seconds, after which a callback whose attempt was never recorded (crash) is retried. */
export const leaseSeconds = 60

/** Grace period (ms) at shutdown. Unfinished attempts are sent again once their lease ends. */
const lastWordMs = 3_000

/**
 * Sends callbacks until `signal` aborts. The table is the queue: it is polled every second, on a hint of a new
 * callback, and when an attempt ends, since another callback may be waiting for its slot.
 */
export async function deliver(
  deps: Deps,
  signal: AbortSignal,
  options: { resolve?: Resolve; forms?: CallbackForms } = {},
): Promise<void> {
  const receivers = new Receivers(deps.clock)
  const underWay = new Set<Promise<void>>()
  let wakeUp = () => {}
  await loop({
    name: 'deliver callbacks',
    everyMs: 1_000,
    log: deps.log,
    live: deps.live,
    signal,
    listen: wake => {
      wakeUp = wake
      return deps.live.onType('callback', wake)
    },
    work: async () => {
      const now = deps.clock()
      const room = receivers.free()
      if (room.limit === 0 || (await pauseOf(deps.pool, 'callbacks'))) return false
      const taken = await leaseCallbacks(deps.pool, {
        now,
        until: now + leaseSeconds,
        ...room,
      })
      for (const callback of taken) {
        const done = receivers.start(callback)
        const attempt = deliverCallback(deps, callback, options)
          .then(done, error => {
            done(0)
            deps.log.error({ err: error, callback: callback.id }, 'callback attempt not recorded')
          })
          .finally(() => {
            underWay.delete(attempt)
            wakeUp()
          })
        underWay.add(attempt)
      }
      return taken.length > 0
    },
  })
  await Promise.race([Promise.all(underWay), pause(lastWordMs, undefined, { ref: false })])
}
