import { first, type Queryable, run } from './db.ts'
import { Refusal } from './refusal.ts'
import { toIpRateLimitKey } from './visitor.ts'

/** `clock` returns Unix seconds. */
interface ThrottleDeps {
  pool: Queryable
  clock: () => number
}

/** At most `max` calls in a window of `seconds` that starts with the first call. */
export interface RateLimit {
  max: number
  seconds: number
}

const count = first(
  'throttle-count',
  `insert into throttles as t (key, n, since) values ($1, 1, $2)
   on conflict (key) do update
     set n = case when t.since <= $2 - $3::bigint then 1 else t.n + 1 end,
         since = case when t.since <= $2 - $3::bigint then $2 else t.since end
   returning n, since`,
)

/** Counts a call; throws Refusal('frequent_operation') above the limit, with the seconds until the window ends. */
export async function throttle({ pool, clock }: ThrottleDeps, key: string, limit: RateLimit): Promise<void> {
  const now = clock()
  const { n, since } = (await count(pool, key, now, limit.seconds))!
  if (n > limit.max) throw new Refusal('frequent_operation', { retryAfter: Math.max(1, since + limit.seconds - now) })
}

/** Throttles a visitor's network. In the sandbox all visitors share one machine, hence a higher limit. */
export const throttleIp = (
  deps: ThrottleDeps & { config: { mode: string } },
  what: string,
  ip: string,
  { max, seconds }: RateLimit,
): Promise<void> =>
  throttle(deps, `${what} ip ${toIpRateLimitKey(ip)}`, {
    max: max * (deps.config.mode === 'sandbox' ? 1_000 : 1),
    seconds,
  })

/** Throttles changes to a merchant's profile and applications, because each adds a row to the audit log. */
export const throttleChanges = (deps: ThrottleDeps, merchantId: string): Promise<void> =>
  throttle(deps, `changes ${merchantId}`, { max: 300, seconds: 3_600 })

const countSince = first('throttle-read', 'select n from throttles where key = $1 and since > $2 - $3::bigint')

/** Returns how many calls were counted in the current window of `seconds`. */
export const readCallCount = async ({ pool, clock }: ThrottleDeps, key: string, seconds: number): Promise<number> =>
  (await countSince(pool, key, clock(), seconds))?.n ?? 0

/** Counts a call that is never refused. Returns the number of calls in the current window of `seconds`. */
export const countCall = async ({ pool, clock }: ThrottleDeps, key: string, seconds: number): Promise<number> =>
  (await count(pool, key, clock(), seconds))!.n

const takeBack = run('throttle-take-back', 'update throttles set n = n - 1 where key = $1 and n > 0')

/** Takes back a counted call that turned out to be legitimate. */
export const undoCountedCall = ({ pool }: ThrottleDeps, key: string) => takeBack(pool, key)

const clear = run('throttle-clear', 'delete from throttles where key = $1')

/** Resets a counter after success. */
export const resetThrottle = ({ pool }: ThrottleDeps, key: string) => clear(pool, key)

/** Deletes windows that began before, which must be longer ago than any limit. Returns their number. */
export const deleteThrottlesBefore = run('throttles-forget', 'delete from throttles where since <= $1 returning 1')
