import { type Kysely, sql } from 'kysely'

/**
 * Why: native coin may arrive unnoticed at an address leased for tokens, and was then credited to the next payment that leased the
 * address for native coin. Of addresses leased so far it is not known what for, so they are not leased again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deposit_addresses add column leased_for text check (leased_for in ('native', 'token'));
    drop index deposit_addresses_free;
    create index deposit_addresses_free on deposit_addresses (merchant_id, chain_kind, leased_for, free_at)
      where purpose = 'lease' and leased_for is not null;
  `.execute(db)
}
