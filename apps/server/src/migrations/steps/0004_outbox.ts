import { type Kysely, sql } from 'kysely'

/** Why: what a change tells others is written in the transaction of the change: callbacks, notifications, daily figures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table callbacks (
      merchant_id text not null references merchants (id),
      id text not null,
      appid text not null,
      trade_no text not null default '',
      event text not null,
      seq int not null,
      url text not null,
      body text not null,
      amount text not null default '0',
      token text not null default '',
      status int not null check (status between 1 and 4),
      attempts int not null default 0,
      tries int not null default 0,
      manual boolean not null default false,
      result text not null default '',
      next_at bigint,
      leased_until bigint not null default 0,
      created_at bigint not null,
      primary key (merchant_id, id)
    );
    create index callbacks_due on callbacks (next_at) where next_at is not null;
    create index callbacks_list on callbacks (merchant_id, created_at desc, id desc);
    create index callbacks_payment on callbacks (merchant_id, trade_no, seq);

    create table callback_attempts (
      merchant_id text not null,
      callback_id text not null,
      id text not null,
      http_status int not null,
      result text not null,
      answer text not null,
      duration_ms int not null,
      manual boolean not null,
      created_at bigint not null,
      primary key (merchant_id, callback_id, id)
    );

    create table notifications (
      merchant_id text not null references merchants (id),
      id text not null,
      types int not null check (types between 1 and 5),
      message text not null,
      params jsonb not null default '{}',
      status int not null default 2 check (status in (1, 2)),
      created_at bigint not null,
      primary key (merchant_id, id)
    );
    create index notifications_list on notifications (merchant_id, created_at desc, id desc);
    create index notifications_unread on notifications (merchant_id) where status = 2;

    -- What a transaction changes in the figures: inserted with the change, so that no counter of a busy merchant is locked
    -- until a commit. The job "fold statistics" moves these rows into the two tables below; readers add what is left here.
    create table statistics_changes (
      merchant_id text not null,
      id uuid not null default gen_random_uuid(),
      at bigint not null,
      appid text not null default '',
      asset_id text not null default '',
      payment_created_at bigint not null default 0,
      status_from int,
      status_to int,
      created_num int not null default 0,
      paid_num int not null default 0,
      volume_usdt base_units not null default 0,
      income_usdt base_units not null default 0,
      refund_usdt base_units not null default 0,
      withdrawn_usdt base_units not null default 0,
      volume base_units not null default 0,
      primary key (merchant_id, id)
    );

    -- Span 'quarter': slots of 15 minutes, by which every time zone's day can be put together. 'day': days of the merchant
    -- in the zone that statistics_zones names; slot is when one begins. 'all': everything, slot 0.
    create table statistics (
      merchant_id text not null,
      span text not null check (span in ('quarter', 'day', 'all')),
      slot bigint not null,
      appid text not null,
      asset_id text not null,
      created_num bigint not null,
      paid_num bigint not null,
      volume_usdt base_units not null,
      income_usdt base_units not null,
      refund_usdt base_units not null,
      withdrawn_usdt base_units not null,
      volume base_units not null,
      primary key (merchant_id, span, slot, appid, asset_id)
    );

    create table statistics_zones (
      merchant_id text primary key,
      time_zone text not null
    );

    -- How many payments were created in each hour, each day of 24 and each month of 30 days, by the status they have now
    -- (n1 to n8): totals of lists, and where in time a page begins.
    create table payment_counts (
      merchant_id text not null,
      span int not null check (span in (3600, 86400, 2592000)),
      slot bigint not null,
      appid text not null,
      n1 bigint not null,
      n2 bigint not null,
      n3 bigint not null,
      n4 bigint not null,
      n5 bigint not null,
      n6 bigint not null,
      n7 bigint not null,
      n8 bigint not null,
      primary key (merchant_id, span, slot, appid)
    );

    create table gas_expenses (
      merchant_id text not null references merchants (id),
      id text not null,
      chain_id text not null,
      asset_id text not null,
      amount base_units not null,
      txid text not null,
      created_at bigint not null,
      primary key (merchant_id, id)
    );
    create index gas_expenses_list on gas_expenses (merchant_id, created_at desc, id desc);

    create table market_follows (
      merchant_id text not null references merchants (id),
      token text not null,
      position int not null,
      primary key (merchant_id, token)
    );

    -- Until then it is shown what most look for first.
    alter table merchants add column market_chosen boolean not null default false;

    create table prices (
      symbol text not null,
      source text not null,
      price text not null,
      change_24h text not null default '',
      at bigint not null,
      primary key (symbol, source)
    );
  `.execute(db)
}
