import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { first } from './db.ts'
import { registry } from './metrics.ts'

/** Difference (s) between the wall clock and the database that is reported. */
const toleranceSeconds = 30

const skewed = new Counter({
  name: 'coffer_clock_skews_total',
  help: 'Readings at which the clock of this machine and that of the database differed by more than 30 s',
  registers: [registry],
})

const databaseNow = first('database-now', 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms')

/** The time of the database, carried on by a monotonic clock between readings. */
export interface DatabaseClock {
  /** Unix seconds. Until the first reading it starts from the wall clock. */
  now: () => number
  /** Reads the time of the database. Throws when it does not answer; the last reading then stays. */
  read: (pool: pg.Pool) => Promise<void>
}

/**
 * Makes a clock that a jump of the wall clock does not move. A wall clock that differs from the database is logged and
 * counted in /metrics.
 */
export function makeDatabaseClock(log: Logger): DatabaseClock {
  let atZero = Date.now() / 1000 - performance.now() / 1000
  let wasRead = false
  return {
    now: () => Math.floor(atZero + performance.now() / 1000),
    async read(pool) {
      const before = performance.now()
      const row = await databaseNow(pool)
      // The answer is from some time between question and answer.
      const middle = (before + performance.now()) / 2_000
      const correction = row!.ms! / 1000 - middle - atZero
      // A correction of less than a second comes from the network, and time that goes back surprises everybody.
      if (correction > 0 || correction <= -1) atZero += correction
      if (wasRead && Math.abs(correction) > toleranceSeconds)
        log.warn({ seconds: Math.round(correction) }, 'the clock of the database jumped')
      wasRead = true
      const skew = Date.now() / 1000 - (atZero + performance.now() / 1000)
      if (Math.abs(skew) <= toleranceSeconds) return
      skewed.inc()
      log.warn({ skewSeconds: Math.round(skew) }, 'the clock of this machine and that of the database differ')
    },
  }
}
