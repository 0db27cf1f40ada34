import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { endUnseen, reportLasting, unseenFor } from '../chains/lasting-incidents.ts'
import { pauseOf } from '../chains/pause-queue.ts'
import { countDueCallbacks } from './store.ts'

/** Seconds for which callbacks that are due may wait, as in ops/alerts.yml. */
export const lateAfter = 300

const kind = 'callbacks_late'

/**
 * Opens an incident while callbacks that are due are not sent, and ends it. A paused queue has none: who paused it
 * knows.
 */
export async function watchLate({ pool, clock, log }: Pick<Deps, 'pool' | 'clock' | 'log'>): Promise<false> {
  const now = clock()
  const { n, since } = (await countDueCallbacks(pool, now))!
  if (since !== null && now - since >= lateAfter && !(await pauseOf(pool, 'callbacks'))) {
    const row = { kind, chain_id: null, of: {}, detail: {} }
    if (await tx(pool, c => reportLasting(c, row, now))) log.error({ waiting: n, since }, 'callbacks are late')
  }
  await endUnseen(pool, [kind], null, now - unseenFor, now)
  return false
}
