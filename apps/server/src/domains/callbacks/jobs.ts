import type { CallbackForms } from '../../callback-form.ts'
import type { Deps } from '../../deps.ts'
import { sendQueue } from '../../kit/send-queue.ts'
import type { Resolve } from '../../outside/addresses.ts'
import { pauseOf } from '../chains/pause-queue.ts'
import { leaseCallbacks } from './callback-lease.ts'
import { deliverCallback } from './deliver-callback.ts'
import { Receivers } from './receivers.ts'

/** Lease duration in seconds, after which a callback whose attempt was never recorded (crash) is retried. */
export const leaseSeconds = 60

/** Sends callbacks until `signal` aborts. */
export async function deliver(
  deps: Deps,
  signal: AbortSignal,
  options: { resolve?: Resolve; forms?: CallbackForms } = {},
): Promise<void> {
  const receivers = new Receivers(deps.clock)
  await sendQueue({
    name: 'deliver callbacks',
    log: deps.log,
    live: deps.live,
    signal,
    listen: wake => deps.live.onType('callback', wake),
    lease: async () => {
      const now = deps.clock()
      const room = receivers.free()
      if (room.limit === 0 || (await pauseOf(deps.pool, 'callbacks'))) return []
      return leaseCallbacks(deps.pool, { now, until: now + leaseSeconds, ...room })
    },
    send: async callback => {
      const done = receivers.start(callback)
      await deliverCallback(deps, callback, options).then(done, error => {
        done(0)
        throw error
      })
    },
    about: ({ id }) => ({ callback: id }),
  })
}
