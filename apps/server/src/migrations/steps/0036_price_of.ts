import { type Kysely, sql } from 'kysely'

/**
 * Why: a bridged token has no price of its own, and whatever read prices by symbols took it for worthless, limits included.
 * `assets.price_of`: the symbol by whose price an asset is valued. A bridged token that an operator lists keeps its `sibling_of`: it is
 * valued as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table assets
      add column price_of text not null generated always as (coalesce(sibling_of, symbol)) stored,
      drop constraint assets_sibling,
      add constraint assets_sibling check (sibling_of is null or contract is not null);
  `.execute(db)
}
