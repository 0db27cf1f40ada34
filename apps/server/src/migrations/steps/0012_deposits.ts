import { type Kysely, sql } from 'kysely'
import { countRows } from '../count-rows.ts'

/**
 * Why: deposits are credited exactly, once, and for what arrived.
 *
 * - Values in USDT have 18 decimals instead of 6. The value of USDT is known exactly; corrections of what was counted go through the
 *   inbox of the statistics, which adds them to every sum.
 * - `ordinal` is the position of the log in its transaction's receipt. That of a stored token deposit is not known: -1 - ordinal
 *   keeps the old place until the block is read again. A deposit that is `replaced` leaves its key to another.
 * - A fence keeps a process that froze while it followed a chain from writing after another one went on.
 * - Servers take ranges of address indexes, so that orders do not wait for each other.
 * - Coin that our own transactions gave or took is part of the comparison of native balances.
 * - The first deposits of a token, and one in a hundred after, are compared with balances. Those of a token on hold wait.
 * - Transfers below the minimum of an asset are kept aside.
 * - A merchant gives each of their customers an address under a reference; its deposits are recharges.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update statistics set volume_usdt = volume_usdt * 1000000000000, income_usdt = income_usdt * 1000000000000,
      refund_usdt = refund_usdt * 1000000000000, withdrawn_usdt = withdrawn_usdt * 1000000000000
      where volume_usdt <> 0 or income_usdt <> 0 or refund_usdt <> 0 or withdrawn_usdt <> 0;
    update statistics_changes set volume_usdt = volume_usdt * 1000000000000, income_usdt = income_usdt * 1000000000000,
      refund_usdt = refund_usdt * 1000000000000, withdrawn_usdt = withdrawn_usdt * 1000000000000
      where volume_usdt <> 0 or income_usdt <> 0 or refund_usdt <> 0 or withdrawn_usdt <> 0;
    insert into statistics_changes (merchant_id, appid, asset_id, at, volume_usdt, income_usdt)
      select merchant_id, appid, asset_id, quarter, sum(volume), sum(income) from (
        select d.merchant_id, p.appid, d.asset_id, d.credited_at - d.credited_at % 900 as quarter,
          round(d.amount * 10::numeric ^ (18 - a.decimals)) - d.usdt_amount * 1000000000000 as volume,
          round((d.amount - d.fee) * 10::numeric ^ (18 - a.decimals))
            - (d.usdt_amount - div(d.usdt_amount * d.fee, d.amount)) * 1000000000000 as income
        from deposits d
        join assets a on a.id = d.asset_id and a.symbol = 'USDT'
        join payments p on p.merchant_id = d.merchant_id and p.trade_no = d.trade_no
        where d.state = 'credited'
      ) corrections group by 1, 2, 3, 4 having sum(volume) <> 0 or sum(income) <> 0;
    update deposits d set usdt_amount = case when a.symbol = 'USDT' then round(d.amount * 10::numeric ^ (18 - a.decimals))
        else d.usdt_amount * 1000000000000 end
      from assets a where a.id = d.asset_id and (a.symbol = 'USDT' or d.usdt_amount <> 0);

    alter table deposits add column replaced boolean not null default false;
    update deposits d set ordinal = -1 - d.ordinal from assets a where a.id = d.asset_id and a.contract is not null;
    drop index deposits_once;
    create unique index deposits_once on deposits (chain_id, txid, asset_id, ordinal) where not replaced;

    -- Since when a final deposit waits to be credited: until it is compared, or while its token is on hold; 0 once that is released.
    alter table deposits add column held_at bigint;
    create index deposits_held on deposits (chain_id, block_number) where held_at is not null;
    -- Comparisons that agreed, and deposits until the next one.
    alter table assets add column hold text check (hold in ('held', 'refused')), add column compared int not null default 0,
      add column compare_in int not null default 0;

    -- Transfers of less than the minimum of a token, kept aside for each address: how many, how much, and what of it is no deposit yet.
    alter table assets add column minimum base_units not null default 0;
    create table dust (
      chain_id text not null references chains (id),
      asset_id text not null references assets (id),
      address text not null,
      merchant_id text not null references merchants (id),
      n bigint not null,
      amount base_units not null,
      aside base_units not null,
      last_block bigint not null,
      primary key (chain_id, asset_id, address)
    );

    -- The comparison of balances, which finds coin sent from within a contract call, covers blocks up to this time.
    alter table chains add column compared_time bigint not null default 0;
    alter table chains add column fence bigint not null default 0, add column leased_until bigint not null default 0,
      add column leased_by bigint;

    -- What an address is leased for. Native coin may arrive unnoticed at an address leased for tokens. Of addresses leased by
    -- earlier versions it is not known, so they are not leased again.
    alter table deposit_addresses add column leased_for text check (leased_for in ('native', 'token'));
    alter table deposit_addresses add column swept boolean not null default false;
    drop index deposit_addresses_free;
    create index deposit_addresses_free on deposit_addresses (merchant_id, chain_kind, leased_for, swept, free_at)
      where purpose = 'lease' and leased_for is not null;
    create index deposit_addresses_native on deposit_addresses (chain_kind, key_index) where leased_for is distinct from 'token';

    create table address_ranges (
      chain_kind text not null,
      first_index int not null,
      next_index int not null check (next_index > first_index),
      created_at bigint not null,
      primary key (chain_kind, first_index)
    );

    -- What it changed the native balance of the address by, less its fee; null while it is not final, and where it was not recorded.
    alter table own_transactions add column coin numeric(78, 0);

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
  `.execute(db)
  await countRows(db, { name: 'fixed addresses', table: 'fixed_addresses', groups: ['appid', 'chain_id', `''`] })
}
