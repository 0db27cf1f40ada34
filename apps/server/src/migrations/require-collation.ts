import { OperatorProblem } from '@coffer/local/problem.ts'
import type pg from 'pg'

/**
 * Refuses a database whose texts were sorted by another version of its collation, as after an upgrade of the operating
 * system: its indexes may then find no row that exists, and let a unique value in twice.
 * @throws Problem that says what to do
 */
export async function requireCollation(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; stored: string | null; actual: string | null }>(`
    select quote_ident(datname) as name, datcollversion as stored, pg_database_collation_actual_version(oid) as actual
    from pg_database where datname = current_database()`)
  const { name, stored, actual } = rows[0]!
  if (stored === null || actual === null || stored === actual) return
  throw new OperatorProblem(
    `The indexes of the database were made with version ${stored} of its collation, and this machine has ${actual}: texts may sort differently. Stop all servers and run as the owner: reindex database ${name}; alter database ${name} refresh collation version;`,
  )
}
