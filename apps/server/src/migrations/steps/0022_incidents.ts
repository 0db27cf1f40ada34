import { type Kysely, sql } from 'kysely'

/** Why: operators see whether all money is accounted for, by whichever server compared it last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The last comparison of each asset with what our addresses hold, in base units.
    create table comparisons (
      asset_id text primary key references assets (id),
      verdict text not null check (verdict in ('agrees', 'shortage', 'surplus')),
      found numeric(78, 0) not null,
      -- What is missing beyond what may have left the chain already.
      missing numeric(78, 0) not null check (missing >= 0 and (missing > 0) = (verdict = 'shortage')),
      compared_at bigint not null,
      -- Since when the verdict is this one.
      since bigint not null
    );
  `.execute(db)
}
