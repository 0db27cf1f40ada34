import { type Kysely, sql } from 'kysely'
import { countRows } from '../count-rows.ts'

/**
 * Why: merchants take their money out. A withdrawal names what it reserved, and once it is final, what became of all of it: a
 * constraint compares the two. Beside it stand its history, the merchant's policy and settings, and known destinations.
 *
 * A withdrawal may be approved by a link that is mailed to the address that the policy names. A withdrawal has one link at a time,
 * which decides once, with a code sent to the same address. A key that requests withdrawals works only from listed addresses.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Null: the fee of the configuration.
    alter table merchants add column withdraw_fee_bps int check (withdraw_fee_bps between 0 and 10000);
    -- Fees are in hundredths of a percent; before, that on payments was in thousandths.
    alter table merchants drop constraint merchants_fee_permille_check;
    alter table merchants alter column fee_permille type int using fee_permille * 10;
    alter table merchants rename column fee_permille to fee_bps;
    alter table merchants add constraint merchants_fee_bps_check check (fee_bps between 0 and 10000);
    alter table applications add column payouts_allowed boolean not null default false,
      -- When its key, what the key may do, or from where, last changed.
      add column opened_at bigint not null default 0,
      add constraint applications_payouts_from
        check (not payouts_allowed or (ip_whitelist_enabled and jsonb_array_length(ip_whitelist) > 0));
    -- Applications of earlier versions receive no events of payouts until their merchant chooses them.
    update applications set callbacks_muted = callbacks_muted || '["withdrawal.created", "withdrawal.approved", "withdrawal.rejected",
      "withdrawal.sent", "withdrawal.confirming", "withdrawal.completed", "withdrawal.canceled", "withdrawal.abnormal",
      "refund.created", "refund.sent", "refund.confirming", "refund.completed", "refund.canceled", "refund.abnormal"]'::jsonb;

    create table withdrawals (
      merchant_id text not null references merchants (id),
      id text not null unique,
      asset_id text not null references assets (id),
      chain_id text not null references chains (id),
      to_address text not null,
      amount base_units not null,
      fee base_units not null check (fee >= 0),
      gas base_units not null check (gas >= 0),
      receives base_units not null check (receives > 0),
      -- In USDT with 18 decimals.
      usdt_value base_units not null,
      rate jsonb not null,
      status int not null check (status between 1 and 7),
      origin text not null check (origin in ('page', 'api')),
      appid text not null default '',
      out_no text,
      body_hash bytea,
      remark text not null default '',
      policy jsonb not null default '[]',
      approved_by text not null default '',
      approved_at bigint not null default 0,
      by_passkey boolean not null default false,
      reason text not null default '',
      -- The checks of the destination that warned when it was requested.
      warnings text[] not null default '{}',
      txid text not null default '',
      -- The chain transaction that carries it, by its nonce.
      out_chain text,
      out_from text,
      out_nonce bigint,
      settled base_units not null default 0,
      released base_units not null default 0,
      events int not null default 0,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (merchant_id, id),
      constraint withdrawals_receives check (receives = amount - fee - gas),
      constraint withdrawals_origin check ((origin = 'api') = (appid <> '') and (origin = 'api') = (out_no is not null)),
      constraint withdrawals_out check (num_nulls(out_chain, out_from, out_nonce) in (0, 3)),
      -- 5 is accomplished; 2 and 6 are audit rejected and canceled.
      constraint withdrawals_balanced check (case
        when status = 5 then amount = settled + fee + gas and released = 0
        when status in (2, 6) then amount = released and settled = 0
        else settled = 0 and released = 0
      end)
    );
    create unique index withdrawals_out_no on withdrawals (merchant_id, appid, out_no) where out_no is not null;
    create index withdrawals_page on withdrawals (merchant_id, status, asset_id, appid, created_at desc, id desc);
    create index withdrawals_lately on withdrawals (merchant_id, created_at desc, id desc);
    create index withdrawals_to on withdrawals (merchant_id, to_address);
    -- Before a withdrawal is approved, all that went to its address is looked at.
    create index withdrawals_address on withdrawals (to_address, created_at desc);
    create index withdrawals_txid on withdrawals (merchant_id, txid) where txid <> '';
    create index withdrawals_due on withdrawals (chain_id, created_at, id) where status = 3 and out_nonce is null;
    create index withdrawals_auditing on withdrawals (created_at, id) where status in (1, 7);

    create table withdrawal_events (
      merchant_id text not null,
      withdrawal_id text not null,
      seq int not null,
      status int not null,
      event text not null,
      detail text not null default '',
      -- The operator whose step it was; never shown to merchants.
      who text not null default '',
      created_at bigint not null,
      primary key (merchant_id, withdrawal_id, seq)
    );

    -- Null: the default of the installation. Amounts are in base units of the asset.
    create table withdrawal_settings (
      merchant_id text not null references merchants (id),
      asset_id text not null references assets (id),
      gas_limit base_units check (gas_limit > 0),
      minimum base_units check (minimum > 0),
      automatic boolean not null default true,
      updated_at bigint not null,
      primary key (merchant_id, asset_id)
    );

    -- Every version of a merchant's policy. In force is the latest that is active and was not withdrawn before.
    create table withdrawal_policies (
      merchant_id text not null references merchants (id),
      id text not null,
      rules jsonb not null,
      active_from bigint not null,
      withdrawn boolean not null default false,
      created_at bigint not null,
      primary key (merchant_id, id)
    );
    create index withdrawal_policies_active on withdrawal_policies (merchant_id, active_from desc, id desc) where not withdrawn;

    create table address_book (
      merchant_id text not null references merchants (id),
      id text not null,
      chain_id text not null references chains (id),
      address text not null,
      label text not null,
      memo text not null default '',
      travel_rule jsonb not null default '{}',
      created_at bigint not null,
      updated_at bigint not null,
      deleted_at bigint,
      primary key (merchant_id, id)
    );
    create unique index address_book_address on address_book (merchant_id, chain_id, address) where deleted_at is null;
    create index address_book_page on address_book (merchant_id, chain_id, created_at desc, id desc) where deleted_at is null;
    create index address_book_list on address_book (merchant_id, created_at desc, id desc) where deleted_at is null;

    -- Records of money are kept: a withdrawal is never deleted, and its history never changed.
    revoke delete on withdrawals from coffer_app;
    revoke update, delete on withdrawal_events from coffer_app;

    create table withdrawal_approvals (
      merchant_id text not null,
      withdrawal_id text not null,
      token_hash bytea not null unique,
      email text not null,
      expires_at bigint not null,
      code_hash bytea,
      code_until bigint not null default 0,
      code_tries int not null default 0,
      code_sent_at bigint not null default 0,
      decision text check (decision in ('approved', 'rejected')),
      decided_at bigint not null default 0,
      created_at bigint not null,
      primary key (merchant_id, withdrawal_id),
      foreign key (merchant_id, withdrawal_id) references withdrawals (merchant_id, id)
    );
    revoke delete on withdrawal_approvals from coffer_app;
  `.execute(db)
  await countRows(db, {
    name: 'address book',
    table: 'address_book',
    groups: ['chain_id', `''`, `''`],
    where: 'deleted_at is null',
  })
  await countRows(db, { name: 'withdrawals', table: 'withdrawals', groups: ['status::text', 'asset_id', 'appid'] })
}
