import { type Kysely, sql } from 'kysely'

/**
 * Why: applications choose the events of their callbacks, replaced secrets stay valid for a while, and orders have metadata, a cancel
 * URL and a search over their texts. A merchant without a developer collects by links that open payments.
 *
 * Each order and each credit looked up and locked the row of its merchant a dozen times to check references. Rows of merchants and
 * assets are never deleted, and whoever inserts these rows has read theirs. A credit also wrote into indexes that nobody reads by it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Events that are not sent: a new kind of event is sent to everybody.
    alter table applications
      add column callbacks_muted jsonb not null default '[]',
      add column previous_key_hash bytea,
      add column previous_key_masked text not null default '',
      add column previous_key_until bigint not null default 0,
      add column previous_webhook_secret text not null default '',
      add column previous_webhook_until bigint not null default 0,
      -- How orders are priced; null: by the market. The version is counted by each change, so that no order is made by earlier rates.
      -- Origins whose pages may show its checkouts in a frame.
      add column embed_origins jsonb not null default '[]',
      add column rates jsonb,
      add column rates_version int not null default 0;
    -- Rates that applications read from their own URLs: what was last read, when, and why the last try gave nothing.
    create table own_rates (
      merchant_id text not null,
      appid text not null,
      currency text not null,
      url text not null,
      path text not null,
      rate text not null default '',
      read_at bigint not null default 0,
      tried_at bigint not null default 0,
      failure text not null default '',
      primary key (merchant_id, appid, currency)
    );
    create index own_rates_tried on own_rates (tried_at);
    create unique index applications_previous_key on applications (previous_key_hash);

    alter table payments
      add column metadata jsonb not null default '{}',
      add column cancel_url text not null default '',
      add column auto_redirect boolean not null default false,
      -- That of the address, from which a shop can derive it.
      add column key_index int,
      drop constraint payments_exception_check,
      add constraint payments_exception_check
        check (exception in ('none', 'partial', 'over', 'late', 'marked_paid', 'marked_invalid'));
    create index payments_exception on payments (merchant_id, exception, created_at desc, trade_no desc)
      where exception <> 'none';

    -- Why the merchant marked a payment; empty for every other step.
    alter table payment_history add column reason text not null default '';

    -- What payments are searched by: words of their texts, and the hashes of their metadata's entries.
    create table payment_terms (
      merchant_id text not null,
      term text collate "C" not null,
      created_at bigint not null,
      trade_no text not null,
      primary key (merchant_id, term, created_at, trade_no)
    );
    insert into payment_terms (merchant_id, term, created_at, trade_no)
      select merchant_id, 'w:' || lower(out_trade_no), created_at, trade_no from payments
      union
      select merchant_id, 'p:' || trim_scale(coalesce(nullif(fiat_amount, '')::numeric, usdt_amount / 1000000.0)), created_at, trade_no
      from payments
      union
      select merchant_id, 'w:' || left(word, 64), created_at, trade_no
      from payments, regexp_split_to_table(lower(subject || ' ' || attach), '\\W+') word
      where subject || attach <> '' and word <> '';

    alter table payments
      drop constraint payments_merchant_id_fkey,
      drop constraint payments_asset_id_fkey,
      drop constraint payments_fixed_asset_id_fkey;
    alter table deposits drop constraint deposits_merchant_id_fkey, drop constraint deposits_asset_id_fkey;
    alter table deposit_addresses drop constraint deposit_addresses_merchant_id_fkey;
    alter table callbacks drop constraint callbacks_merchant_id_fkey;
    alter table notifications drop constraint notifications_merchant_id_fkey;

    -- Postings are read by asset only to sum what the chains hold.
    drop index ledger_postings_asset;
    create index ledger_postings_asset on ledger_postings (asset_id, created_at)
      where 'house/chain/' || asset_id in (debit_account, credit_account);
    -- The index of the page begins with merchant and status, too.
    drop index notifications_unread;

    create table payment_links (
      merchant_id text not null references merchants (id),
      id text not null,
      token text not null unique check (length(token) = 22),
      appid text not null,
      title text not null,
      currency text not null,
      -- Decimal strings in the currency. Without an amount, the payer enters one between the others.
      amount text not null,
      min_amount text not null,
      max_amount text not null,
      once boolean not null,
      -- Number of the last payment. A link for one payment goes on to the next only when the last ended unpaid.
      payments int not null default 0,
      created_at bigint not null,
      -- 0: never.
      expires_at bigint not null,
      disabled_at bigint,
      primary key (merchant_id, id),
      foreign key (merchant_id, appid) references applications (merchant_id, appid),
      constraint payment_links_amount check (amount = '' or (min_amount = '' and max_amount = ''))
    );
    create index payment_links_page on payment_links (merchant_id, created_at desc, id desc);
    create index payment_links_application on payment_links (merchant_id, appid, created_at desc, id desc);
    revoke delete on payment_links from coffer_app;
  `.execute(db)
}
