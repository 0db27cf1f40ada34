import { Counter, Gauge } from 'prom-client'
import { all, type Queryable } from '../../kit/db.ts'
import { registry } from '../../kit/metrics.ts'

const attempts = new Counter({
  name: 'coffer_messages_total',
  help: 'Attempts to send a message, by channel and result: accepted, later, refused for good, or expired',
  labelNames: ['channel', 'result'],
  registers: [registry],
})
const waiting = new Gauge({
  name: 'coffer_messages_waiting',
  help: 'Messages that are due or were tried in vain, by channel',
  labelNames: ['channel'],
  registers: [registry],
})
const oldest = new Gauge({
  name: 'coffer_messages_oldest_seconds',
  help: 'Age of the oldest message that is due or was tried in vain, by channel, 0 when there is none',
  labelNames: ['channel'],
  registers: [registry],
})

/** Counts an attempt. */
export const countMessageAttempt = (channel: string, result: string): void => attempts.inc({ channel, result })

const waitingByChannel = all(
  'messages-waiting',
  // One that waited for its hour counts from then on.
  `select channel, count(*)::int as n, min(case when tries > 0 then created_at else due_at end) as since from messages
   where done_at is null and sent_with is null and (due_at <= $1 or tries > 0) group by channel`,
)

/** Sets how many messages wait, from the database. `channels` are those that there are. */
export async function updateMessageMetrics(c: Queryable, channels: readonly string[], now: number): Promise<void> {
  waiting.reset()
  oldest.reset()
  for (const channel of channels) {
    waiting.set({ channel }, 0)
    oldest.set({ channel }, 0)
  }
  for (const { channel, n, since } of await waitingByChannel(c, now)) {
    waiting.set({ channel }, n)
    oldest.set({ channel }, Math.max(0, now - since!))
  }
}
