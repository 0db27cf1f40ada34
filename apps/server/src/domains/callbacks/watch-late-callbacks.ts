import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { endUnseenIncidents, reportLastingIncident, unseenIncidentSeconds } from '../chains/lasting-incidents.ts'
import { readQueuePause } from '../chains/pause-queue.ts'
import { countDueCallbacks } from './store.ts'

/** Seconds for which callbacks that are due may wait, as in ops/alerts.yml. */
export const lateCallbackSeconds = 300

const kind = 'callbacks_late'

/**
 * Opens an incident while callbacks that are due are not sent, and ends it. A paused queue has none: who paused it
 * knows.
 */
export async function watchLateCallbacks({ pool, clock, log }: Pick<Deps, 'pool' | 'clock' | 'log'>): Promise<false> {
  const now = clock()
  const { n, since } = (await countDueCallbacks(pool, now))!
  if (since !== null && now - since >= lateCallbackSeconds && !(await readQueuePause(pool, 'callbacks'))) {
    const row = { kind, chain_id: null, of: {}, detail: {} }
    if (await tx(pool, c => reportLastingIncident(c, row, now))) log.error({ waiting: n, since }, 'callbacks are late')
  }
  await endUnseenIncidents(pool, [kind], null, now - unseenIncidentSeconds, now)
  return false
}
