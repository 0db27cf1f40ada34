import type { Deps } from '../../deps.ts'
import { leaseCallbacks } from '../../domains/callbacks/callback-lease.ts'
import { deliverCallback } from '../../domains/callbacks/deliver-callback.ts'
import { first } from '../../kit/db.ts'

/** Callbacks sent concurrently. */
const batchSize = 8

const firstDue = first('demo-next-callback', 'select min(next_at) as at from callbacks where next_at < $1')

/** Sends every callback due before `end` (Unix seconds), with the clock at the time each was due. */
export async function deliverDue(deps: Deps, setClock: (time: number) => void, end: number): Promise<void> {
  for (;;) {
    const due = await firstDue(deps.pool, end)
    if (!due?.at) return
    const now = due.at + 1
    setClock(now)
    const leased = await leaseCallbacks(deps.pool, {
      now,
      until: now + 60,
      limit: batchSize,
      free: {},
      perKey: batchSize,
    })
    if (leased.length === 0) return
    await Promise.all(leased.map(callback => deliverCallback(deps, callback)))
  }
}
