import { one, type Queryable, q } from './db.ts'

/** Counts one more for the key within a window that starts with the first and gives the count. */
export async function countThrottle(c: Queryable, key: string, now: number, seconds: number): Promise<number> {
  const row = await one<{ n: number }>(
    c,
    'throttle-count',
    `insert into throttles as t (key, n, since) values ($1, 1, $2)
     on conflict (key) do update
       set n = case when t.since <= $2 - $3::bigint then 1 else t.n + 1 end,
           since = case when t.since <= $2 - $3::bigint then $2 else t.since end
     returning n`,
    [key, now, seconds],
  )
  return row!.n
}

export const clearThrottle = (c: Queryable, key: string) =>
  q(c, 'throttle-clear', 'delete from throttles where key = $1', [key])

/** Removes windows that began before: longer than any pace. Gives how many. */
export async function forgetThrottles(c: Queryable, before: number): Promise<number> {
  return (await q(c, 'throttles-forget', 'delete from throttles where since <= $1 returning 1', [before])).length
}
