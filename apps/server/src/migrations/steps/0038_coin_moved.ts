import { type Kysely, sql } from 'kysely'

/**
 * Why: an address whose balance a transaction of ours changed was compared anew from then on, so coin that a contract call had brought
 * meanwhile was never credited. What each transaction gave or took is known once it is final, and is taken into account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What it changed the native balance of the address by, less its fee; null while it is not final, and where it was not recorded.
    alter table own_transactions add column coin numeric(78, 0);
  `.execute(db)
}
