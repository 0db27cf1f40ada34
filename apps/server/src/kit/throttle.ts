import type pg from 'pg'
import { first, type Queryable, run } from './db.ts'
import { Refusal } from './refusal.ts'
import { ipKey } from './visitor.ts'

interface Counting {
  pool: pg.Pool
  /** Unix seconds. */
  clock: () => number
}

/** At most `max` attempts in a window of `seconds` that starts with the first attempt. */
export interface Pace {
  max: number
  seconds: number
}

/** Counts one attempt. Refuses with `frequent_operation` above the limit. */
export async function throttle(deps: Counting, key: string, pace: Pace): Promise<void> {
  await throttleIn(deps.pool, key, deps.clock(), pace)
}

/** Throttles by network (see `ipKey`). The sandbox allows 1,000 times more: all its clients share one machine. */
export const throttleIp = (
  deps: Counting & { config: { mode: string } },
  what: string,
  ip: string,
  pace: Pace,
): Promise<void> =>
  throttle(deps, `${what} ip ${ipKey(ip)}`, {
    max: pace.max * (deps.config.mode === 'sandbox' ? 1_000 : 1),
    seconds: pace.seconds,
  })

const clear = run('throttle-clear', 'delete from throttles where key = $1')

/** Resets the counter after success. */
export const forgive = ({ pool }: Counting, key: string) => clear(pool, key)

/** Throttles changes of a merchant's profile and applications, because each adds a permanent log entry. */
export const throttleChanges = (deps: Counting, merchantId: string): Promise<void> =>
  throttle(deps, `changes ${merchantId}`, { max: 300, seconds: 3_600 })

const count = first(
  'throttle-count',
  `insert into throttles as t (key, n, since) values ($1, 1, $2)
   on conflict (key) do update
     set n = case when t.since <= $2 - $3::bigint then 1 else t.n + 1 end,
         since = case when t.since <= $2 - $3::bigint then $2 else t.since end
   returning n, since`,
)

/** Like `throttle`, on a given connection. The refusal carries the seconds until the window ends. */
export async function throttleIn(c: Queryable, key: string, now: number, pace: Pace): Promise<void> {
  const { n, since } = (await count(c, key, now, pace.seconds))!
  if (n > pace.max) throw new Refusal('frequent_operation', { retryAfter: Math.max(1, since + pace.seconds - now) })
}

/** Deletes windows that began at or before a time, which must be older than any window. Returns their number. */
export const forgetThrottles = run('throttles-forget', 'delete from throttles where since <= $1 returning 1')
