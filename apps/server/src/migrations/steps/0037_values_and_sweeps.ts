import { type Kysely, sql } from 'kysely'

/**
 * Why: the limits of a merchant's policy hold for transfers to other merchants, too, so each has its value in USDT with 18 decimals.
 * Sweeps are found by their own ids, and their deposits by the sweep.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table internal_transfers add column usdt_value base_units not null default 0;
    create index internal_transfers_lately on internal_transfers (merchant_id, created_at) where direction = 'out';
    create index refunds_lately on refunds (merchant_id, created_at);
    create unique index sweeps_id on sweeps (id);
    -- A sweep that failed gives its deposits back.
    create index deposits_of_sweep on deposits (sweep_id) where sweep_id is not null;
  `.execute(db)
}
