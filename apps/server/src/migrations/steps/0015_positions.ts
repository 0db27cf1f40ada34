import { type Kysely, sql } from 'kysely'

/**
 * Why: a deposit was known by its place among the transfers of its token that a node reported, so a transfer left out moved the
 * others. Now `ordinal` is the position of the log in its transaction's receipt. That of a stored token deposit is not known:
 * -1 - ordinal keeps the old place until the block is read again. A deposit that is `replaced` leaves its key to another.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deposits add column replaced boolean not null default false;
    update deposits d set ordinal = -1 - d.ordinal from assets a where a.id = d.asset_id and a.contract is not null;
    drop index deposits_once;
    create unique index deposits_once on deposits (chain_id, txid, asset_id, ordinal) where not replaced;
  `.execute(db)
}
