import { type Kysely, sql } from 'kysely'

/** Why: a payment in native coin timed out before the comparison of balances that finds coin sent from within a contract call. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table chains add column compared_time bigint not null default 0`.execute(db)
}
