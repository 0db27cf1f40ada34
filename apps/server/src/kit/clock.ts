import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { first } from './db.ts'
import { registry } from './metrics.ts'

/** Skew (s) between the wall clock and the database clock above which a warning is logged. */
const toleranceSeconds = 30

const skewed = new Counter({
  name: 'coffer_clock_skews_total',
  help: 'Readings at which the clock of this machine and that of the database differed by more than 30 s',
  registers: [registry],
})

const databaseNow = first('database-now', 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms')

/** Database time, advanced by a monotonic clock between readings. */
export interface DatabaseClock {
  /** Unix seconds. Based on the wall clock until the first reading. */
  now: () => number
  /** Reads the database time. Throws if the query fails, and keeps the last reading. */
  read: (pool: pg.Pool) => Promise<void>
}

/**
 * Makes a clock that is immune to wall clock jumps. Skew between the wall clock and the database is logged and counted
 * in /metrics.
 */
export function makeDatabaseClock(log: Logger): DatabaseClock {
  let atZero = Date.now() / 1000 - performance.now() / 1000
  let wasRead = false
  return {
    now: () => Math.floor(atZero + performance.now() / 1000),
    async read(pool) {
      const before = performance.now()
      const row = await databaseNow(pool)
      // The database took its timestamp between query and response: assume the midpoint.
      const middle = (before + performance.now()) / 2_000
      const correction = row!.ms! / 1000 - middle - atZero
      // A backward step of less than a second is network jitter: ignore it, so that time rarely goes backwards.
      if (correction > 0 || correction <= -1) atZero += correction
      if (wasRead && Math.abs(correction) > toleranceSeconds)
        log.warn({ seconds: Math.round(correction) }, 'database clock jumped')
      wasRead = true
      const skew = Date.now() / 1000 - (atZero + performance.now() / 1000)
      if (Math.abs(skew) <= toleranceSeconds) return
      skewed.inc()
      log.warn({ skewSeconds: Math.round(skew) }, 'wall clock and database clock differ')
    },
  }
}
