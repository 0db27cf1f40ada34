import type pg from 'pg'

/**
 * Wraps a pool so that the first statement in a transaction whose text matches is not executed: its transaction is
 * rolled back and an error thrown, as if the process had been killed at that point.
 */
export const breakOnce = (pool: pg.Pool, pattern: RegExp): pg.Pool =>
  runBefore(pool, pattern, async client => {
    await client.query('rollback')
    throw new Error('killed here')
  })

/** Wraps a pool so that something happens right before the first statement in a transaction whose text matches. */
export function runBefore(
  pool: pg.Pool,
  pattern: RegExp,
  happen: (client: pg.PoolClient) => Promise<unknown>,
): pg.Pool {
  let happened = false
  const connect = async () => {
    const client = await pool.connect()
    return new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value
        return async (first: string | { text: string }, ...rest: unknown[]) => {
          const text = typeof first === 'string' ? first : first.text
          if (!happened && pattern.test(text)) {
            happened = true
            await happen(target)
          }
          return (target.query as (...values: unknown[]) => unknown).call(target, first, ...rest)
        }
      },
    })
  }
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return connect
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
