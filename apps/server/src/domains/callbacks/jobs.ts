import type { CallbackProtocols } from '../../callback-form.ts'
import type { Deps } from '../../deps.ts'
import { runSendQueue } from '../../kit/send-queue.ts'
import type { HostResolver } from '../../outside/addresses.ts'
import { readQueuePause } from '../chains/pause-queue.ts'
import { leaseCallbacks } from './callback-lease.ts'
import { deliverCallback } from './deliver-callback.ts'
import { DeliveryLimiter } from './receivers.ts'

/** Lease duration in seconds, after which a callback whose attempt was never recorded (crash) is retried. */
export const callbackLeaseSeconds = 60

/** Sends callbacks until `signal` aborts. */
export async function deliverCallbacks(
  deps: Deps,
  signal: AbortSignal,
  options: { resolve?: HostResolver; forms?: CallbackProtocols } = {},
): Promise<void> {
  const receivers = new DeliveryLimiter(deps.clock)
  await runSendQueue({
    name: 'deliver callbacks',
    log: deps.log,
    live: deps.live,
    signal,
    listen: wake => deps.live.onType('callback', wake),
    lease: async () => {
      const now = deps.clock()
      const room = receivers.free()
      if (room.limit === 0 || (await readQueuePause(deps.pool, 'callbacks'))) return []
      return leaseCallbacks(deps.pool, { now, until: now + callbackLeaseSeconds, ...room })
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
