import { type Kysely, sql } from 'kysely'
import { countRows } from '../count-rows.ts'

/** Why: merchants transfer balances to each other. Each side has its own row, so that either finds its list by its own key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table internal_transfers (
      merchant_id text not null,
      id text not null,
      direction text not null check (direction in ('in', 'out')),
      other_id text not null check (other_id <> merchant_id),
      asset_id text not null references assets (id),
      amount base_units not null check (amount > 0),
      note text not null,
      -- The Idempotency-Key of the sender's request.
      request_key text,
      created_at bigint not null,
      primary key (merchant_id, id)
    );
    create unique index internal_transfers_request on internal_transfers (merchant_id, request_key) where request_key is not null;
    create index internal_transfers_page on internal_transfers (merchant_id, direction, asset_id, created_at desc, id desc);
  `.execute(db)
  await countRows(db, {
    name: 'internal transfers',
    table: 'internal_transfers',
    groups: ['direction', 'asset_id', `''`],
  })
}
