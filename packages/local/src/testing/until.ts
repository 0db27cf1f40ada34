import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

/** Time after which waiting fails (ms). Generous, because tests also run on busy machines. */
const limit = 120_000

/**
 * Calls `check` until its value satisfies `holds` (by default, until it is truthy), and returns that value. A call that
 * throws counts as not yet. Fails after two minutes, naming `what` was waited for and the last value or error.
 */
export async function until<T>(
  what: string,
  check: () => T | Promise<T>,
  holds: (value: T) => unknown = Boolean,
): Promise<T> {
  const end = performance.now() + limit
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    let last: string
    try {
      const value = await check()
      if (holds(value)) return value
      last = inspect(value, { depth: 4 })
    } catch (error) {
      last = inspect(error)
    }
    if (performance.now() > end) throw new Error(`Waited ${limit / 1_000} s until ${what}; instead: ${last}`)
    await sleep(pause)
  }
}

/** Waits until `count` statements in this pool's database wait for locks. */
export const untilBlocked = (pool: { query: (sql: string) => Promise<{ rowCount: number | null }> }, count = 1) =>
  until(
    `${count} statements wait for locks`,
    async () =>
      (await pool.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
        .rowCount ?? 0,
    blocked => blocked >= count,
  )
