import { type Kysely, sql } from 'kysely'

/**
 * Why: a chain may charge a transaction beyond its gas, which no root covers: what it is said to have cost may be too much, and a gap of
 * that size in the balance of a deposit address is no deposit. A wallet's own transactions may have cost that much more than was booked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table own_transactions add column surcharge numeric(78, 0) not null default 0`.execute(db)
}
