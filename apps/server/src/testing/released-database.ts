import { type Scope, withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from '../migrations/migrate.ts'

/** A database of version 0.1.0, and a pool of its owner. */
export async function withReleasedDatabase(t: Scope): Promise<{ url: string; pool: pg.Pool }> {
  const { url } = await withPostgres(t)
  await migrate(url, '0006_moves_together')
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  t.after(() => pool.end())
  return { url, pool }
}
