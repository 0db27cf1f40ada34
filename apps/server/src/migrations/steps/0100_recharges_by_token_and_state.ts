import { type Kysely, sql } from 'kysely'

/** Why: the list of recharges is filtered by token and by state, and its total counted, without reading the other recharges. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index deposits_recharges_token on deposits (merchant_id, asset_id, seen_at desc, id desc) where kind = 'recharge';
    create index deposits_recharges_state on deposits (merchant_id, state, seen_at desc, id desc) include (asset_id)
      where kind = 'recharge';
  `.execute(db)
}
