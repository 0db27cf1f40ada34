import { type Kysely, sql } from 'kysely'

/** Why: a surplus says from which block on to read again: `agreed_block` is the last one at which addresses held what the ledger has, if any. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table comparisons add column agreed_block bigint`.execute(db)
}
