import { Counter, Gauge } from 'prom-client'
import { first, type Queryable } from '../../kit/db.ts'
import { registry } from '../../kit/metrics.ts'

const attempts = new Counter({
  name: 'coffer_callback_attempts_total',
  help: 'Attempts to deliver a callback, by result: delivered, retried later, or given up',
  labelNames: ['result'],
  registers: [registry],
})
for (const result of ['delivered', 'retried', 'given_up']) attempts.inc({ result }, 0)

const overdue = new Gauge({
  name: 'coffer_callback_overdue_seconds',
  help: 'Time since the longest waiting callback was due, 0 when none is',
  registers: [registry],
})

/** Counts an attempt. */
export const countDeliveryAttempt = (ok: boolean, gaveUp: boolean): void =>
  attempts.inc({ result: ok ? 'delivered' : gaveUp ? 'given_up' : 'retried' })

const firstDue = first('callbacks-first-due', 'select min(next_at) as next_at from callbacks where next_at <= $1')

/** Sets how long callbacks wait, from the database. */
export async function updateCallbackMetrics(c: Queryable, now: number): Promise<void> {
  overdue.reset()
  const row = await firstDue(c, now)
  overdue.set(row?.next_at == null ? 0 : now - row.next_at)
}
