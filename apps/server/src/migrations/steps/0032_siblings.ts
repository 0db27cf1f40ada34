import { type Kysely, sql } from 'kysely'

/**
 * Why: a bridged token that was sent for a listed one was never noticed. `assets.sibling_of`: the symbol of the token that it stands for;
 * transfers of it are read, nothing is asked for in it, and an operator decides each deposit. A withdrawal that gives one back names the
 * deposit that it `returns`, each at most once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table assets add column sibling_of text, add constraint assets_sibling check (sibling_of is null or (not enabled and contract is not null));
    alter table withdrawals
      add column returns text unique,
      drop constraint withdrawals_origin_check,
      add constraint withdrawals_origin_check check (origin in ('page', 'api', 'return')),
      add constraint withdrawals_returns check ((origin = 'return') = (returns is not null));
  `.execute(db)
}
