import { type Kysely, sql } from 'kysely'
import { countRows } from '../count-rows.ts'

/**
 * Why: a merchant gives each of their customers an address of their own, under a reference of the merchant's. Its deposits are
 * recharges, which are listed by time, and told to the application that made the address. There are many: they are counted, and
 * found by reference and by address.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deposit_addresses drop constraint deposit_addresses_purpose_check;
    alter table deposit_addresses add constraint deposit_addresses_purpose_check check (purpose in ('lease', 'fixed', 'customer'));

    -- Addresses of the merchant's own have neither application nor reference.
    alter table fixed_addresses add column appid text not null default '';
    alter table fixed_addresses add column reference text not null default '';
    alter table fixed_addresses add column label text not null default '';
    alter table fixed_addresses drop constraint fixed_addresses_pkey;
    alter table fixed_addresses add primary key (merchant_id, reference, appid, chain_id);
    create index fixed_addresses_page on fixed_addresses (merchant_id, appid, chain_id, created_at desc, id desc);
    create index fixed_addresses_address on fixed_addresses (address);

    create index deposits_recharges on deposits (merchant_id, seen_at desc, id desc) where kind = 'recharge';
  `.execute(db)
  await countRows(db, { name: 'fixed addresses', table: 'fixed_addresses', groups: ['appid', 'chain_id', `''`] })
}
