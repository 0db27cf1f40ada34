import { untilBlocked } from '@coffer/local/testing/until.ts'
import type pg from 'pg'

/**
 * Runs `work` in a transaction while a row is locked, until it waits for that row. Returns whether it has locked
 * another row by then. Both are queries of one row, without a lock. Indexes are not scanned, so that rows come in the
 * order in which they are stored unless a statement orders them.
 */
export async function locksFirst(
  owner: pg.Pool,
  { held, other, work }: { held: string; other: string; work: (c: pg.PoolClient) => Promise<unknown> },
): Promise<boolean> {
  const holder = await owner.connect()
  const worker = await owner.connect()
  try {
    await holder.query('begin')
    await holder.query(`${held} for no key update`)
    await worker.query('begin')
    await worker.query('set local enable_indexscan = off')
    await worker.query('set local enable_bitmapscan = off')
    const working = work(worker)
    await untilBlocked(owner)
    const { rowCount } = await owner.query(`${other} for no key update skip locked`)
    await holder.query('rollback')
    await working
    return rowCount === 0
  } finally {
    await worker.query('rollback')
    holder.release()
    worker.release()
  }
}
