import pg from 'pg'
import { UnitOfWork } from './unit-of-work.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A pool or one connection: what every store function takes first. */
export type Queryable = pg.Pool | pg.ClientBase
// biome-ignore lint/suspicious/noExplicitAny: a row has the shape its SQL says
export type Row = any

/** Runs one named (server-side prepared) statement and gives its rows. The name must belong to exactly one text. */
export async function q<T = Row>(c: Queryable, name: string, text: string, values: unknown[] = []): Promise<T[]> {
  const result = await c.query({ name, text, values })
  return result.rows as T[]
}

/** The first row or undefined. */
export const one = async <T = Row>(
  c: Queryable,
  name: string,
  text: string,
  values: unknown[] = [],
): Promise<T | undefined> => (await q<T>(c, name, text, values))[0]

const retryable = new Set(['40001', '40P01'])

/**
 * Runs `work` in one READ COMMITTED transaction and writes what it collected in its unit of work; any throw rolls it back.
 * A serialization failure or deadlock is tried again, three times at most: `work` must have no effect outside the
 * transaction.
 */
export async function tx<T>(pool: pg.Pool, work: (c: pg.PoolClient, uow: UnitOfWork) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const c = await pool.connect()
    let broken: Error | undefined
    try {
      // guard: begin
      await c.query('begin')
      const uow = new UnitOfWork(c)
      const result = await work(c, uow)
      await uow.flush()
      // guard: commit
      await c.query('commit')
      return result
    } catch (error) {
      await c.query('rollback').catch(cause => {
        broken = cause
      })
      if (attempt < 4 && retryable.has((error as { code?: string }).code ?? '')) continue
      throw error
    } finally {
      c.release(broken)
    }
  }
}
