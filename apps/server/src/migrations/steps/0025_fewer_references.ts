import { type Kysely, sql } from 'kysely'

/**
 * Why: each order and each credit looked up and locked the row of its merchant a dozen times, and that of its asset, to check
 * references. Rows of merchants and assets are never deleted, and who inserts these rows has read theirs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payments
      drop constraint payments_merchant_id_fkey,
      drop constraint payments_asset_id_fkey,
      drop constraint payments_fixed_asset_id_fkey;
    alter table payment_terms drop constraint payment_terms_merchant_id_fkey;
    alter table deposits drop constraint deposits_merchant_id_fkey, drop constraint deposits_asset_id_fkey;
    alter table deposit_addresses drop constraint deposit_addresses_merchant_id_fkey;
    alter table callbacks drop constraint callbacks_merchant_id_fkey;
    alter table notifications drop constraint notifications_merchant_id_fkey;
  `.execute(db)
}
