import { type Kysely, sql } from 'kysely'

/**
 * Why: an attempt at a request must know its own claim. Otherwise one that was believed to be abandoned commits beside the attempt that
 * took it over, and a claim can only be dropped while nobody else may have one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency add column claim text not null default ''`.execute(db)
}
