import { type Kysely, sql } from 'kysely'

/**
 * Why: sweeps on TRON need energy. The hot wallet lends that of its staked TRX to a deposit address and takes it back once the sweep has
 * ended, or a provider was asked for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Staked coin whose energy is lent to the address, in base units, until it is taken back.
    alter table sweeps add column lent base_units not null default 0 check (lent >= 0);
    -- When a provider was first asked for energy.
    alter table sweeps add column rented_at bigint;
    create index sweeps_lent on sweeps (chain_id) where lent > 0;
  `.execute(db)
}
