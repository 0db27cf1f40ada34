import { type Kysely, sql } from 'kysely'

/**
 * Why: a merchant who reports a sign-in as foreign holds all withdrawals, also those that were requested and not yet sent, until the
 * operator has spoken with them. `held_at` is 0 while nothing is held.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table merchants add column held_at bigint not null default 0`.execute(db)
}
