import { type Kysely, sql } from 'kysely'

/** Why: a merchant sees what the customers of a connected shop met when their orders were refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Few rows a connection: one for each kind of refusal of the last 30 days.
    create table shop_refusals (
      merchant_id text not null references merchants (id),
      connection text not null references shop_connections (id),
      -- The code of the error catalogue, and the field of the protocol; empty: none.
      code integer not null,
      field text not null,
      -- What the field may be, by language; null: nothing more is known.
      detail jsonb,
      count bigint not null check (count > 0),
      last_at bigint not null,
      primary key (merchant_id, connection, code, field)
    );
  `.execute(db)
}
