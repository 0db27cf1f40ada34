import { type Kysely, sql } from 'kysely'
import { countRows } from '../count-rows.ts'

/**
 * Why: operators work in a console of their own, with accounts that have nothing to do with those of merchants. What they do is in the
 * operator's chain of the audit log, which the console reads by these entries. They rate merchants and give them terms of their own,
 * and what matters most takes two people: an approval names who gave it, so that the same person never counts twice. Strangers who
 * guess must not delay an operator on a device or in a network that signed in before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operators (
      id text primary key,
      email text not null,
      role text not null check (role in ('viewer', 'support', 'finance', 'owner')),
      -- Null until the one-time link was used.
      password_hash text,
      authenticator_secret text,
      authenticator_step bigint not null default 0,
      invitation_hash bytea unique,
      invitation_until bigint,
      -- When the one-time link was used: who is new is nobody's second person for a day.
      credentials_at bigint not null default 0,
      -- Counts invitations, activations and changes of the role, so that what two owners agreed on holds once.
      changes int not null default 0,
      -- When an active operator lost the account or the role: for a day nobody is alone because of it.
      changed_at bigint not null default 0,
      created_at bigint not null,
      removed_at bigint,
      check ((invitation_hash is null) = (invitation_until is null)),
      check ((password_hash is null) = (authenticator_secret is null))
    );
    create unique index operators_email on operators (email) where removed_at is null;

    create table operator_sessions (
      token_hash bytea primary key,
      operator_id text not null references operators (id),
      pending boolean not null,
      tries int not null default 0,
      ip text not null,
      device text not null,
      -- Until when calls that need a fresh code are allowed.
      fresh_until bigint not null default 0,
      created_at bigint not null,
      last_seen bigint not null
    );
    create index operator_sessions_operator on operator_sessions (operator_id);
    create index operator_sessions_time on operator_sessions (last_seen);

    create index audit_log_operator on audit_log (seq desc)
      where merchant_id = '' and type in ('command', 'operator', 'operator_began');

    revoke delete on operators from coffer_app;

    create table operator_devices (
      operator_id text not null references operators (id),
      token_hash bytea not null,
      network text not null,
      last_used bigint not null,
      primary key (operator_id, token_hash)
    );

    create table operator_passkeys (
      operator_id text not null references operators (id),
      id text not null unique,
      name text not null,
      public_key bytea not null,
      counter bigint not null check (counter >= 0),
      transports text[] not null,
      synced boolean not null,
      created_at bigint not null,
      last_used bigint,
      blocked_at bigint,
      primary key (operator_id, id)
    );

    alter table merchants add column risk_level text not null default ''
      check (risk_level in ('', 'fail', 'pass', 'excellent', 'abnormal'));
    -- In USDT. Null: the limit of the configuration.
    alter table merchants add column withdraw_single_max int check (withdraw_single_max >= 0);
    alter table merchants add column withdraw_day_max int check (withdraw_day_max >= 0);
    alter table merchants add column withdraw_approval_above int check (withdraw_approval_above >= 0);

    create table operator_approvals (
      subject text not null,
      who text not null,
      created_at bigint not null,
      primary key (subject, who)
    );
    create index operator_approvals_lately on operator_approvals (created_at);
    revoke update, delete on operator_approvals from coffer_app;

    -- What one operator asks for, and another one must ask for, too; done_at is null until then. Each round needs approvals of its own.
    create table operator_decisions (
      subject text primary key,
      round int not null default 1,
      call text not null,
      object text not null,
      -- What is asked besides the reason.
      what jsonb not null,
      roles text[] not null,
      reason text not null,
      -- USDT with 18 decimals.
      value numeric not null,
      asked_at bigint not null,
      done_at bigint
    );
    create index operator_decisions_open on operator_decisions (asked_at) where done_at is null;
    revoke delete on operator_decisions from coffer_app;

    -- Who changed what decides about a merchant's withdrawals: the risk level or the limits.
    create table merchant_assessments (
      merchant_id text not null references merchants (id),
      what text not null check (what in ('risk', 'limits')),
      who text not null,
      created_at bigint not null,
      primary key (merchant_id, what, who, created_at)
    );
    revoke update, delete on merchant_assessments from coffer_app;

    create table work_orders (
      merchant_id text not null references merchants (id),
      number text not null unique,
      type text not null check (type in ('payment', 'withdrawal', 'callback', 'account', 'billing', 'documents', 'other')),
      theme text not null,
      -- 1 in progress, 2 answered, 3 closed.
      status int not null check (status between 1 and 3),
      about_kind text check (about_kind in ('payment', 'withdrawal', 'callback')),
      about_id text,
      -- Whether the merchant has not read the last answer.
      unread boolean not null default false,
      created_at bigint not null,
      updated_at bigint not null,
      closed_at bigint,
      primary key (merchant_id, number),
      constraint work_orders_about check ((about_kind is null) = (about_id is null)),
      constraint work_orders_closed check ((status = 3) = (closed_at is not null))
    );
    create index work_orders_list on work_orders (merchant_id, updated_at desc, number desc);
    create index work_orders_page on work_orders (merchant_id, status, type, updated_at desc, number desc);
    create index work_orders_unread on work_orders (merchant_id) where unread;
    create index work_orders_any on work_orders (status, type, updated_at desc, number desc);
    create index merchants_newest on merchants (created_at desc, id desc) where deleted_at is null;
    create index merchants_page on merchants (status, created_at desc, id desc) where deleted_at is null;
    create index work_orders_waiting on work_orders (updated_at, number) where status = 1;

    create table work_order_messages (
      merchant_id text not null,
      number text not null,
      id text not null,
      -- The operator's name in an answer; null: the merchant.
      operator text,
      text text not null,
      pictures text[] not null default '{}' check (cardinality(pictures) <= 5),
      created_at bigint not null,
      primary key (merchant_id, number, id),
      foreign key (merchant_id, number) references work_orders (merchant_id, number)
    );

    create table work_order_pictures (
      name text primary key,
      merchant_id text not null references merchants (id),
      -- Null until the merchant has sent it with a message.
      number text,
      sent boolean not null default false check (not sent or number is not null),
      type text not null check (type in ('image/png', 'image/jpeg')),
      bytes bytea not null,
      created_at bigint not null,
      foreign key (merchant_id, number) references work_orders (merchant_id, number)
    );
    create index work_order_pictures_merchant on work_order_pictures (merchant_id, number);

    revoke delete on work_orders from coffer_app;
    revoke update, delete on work_order_messages from coffer_app;

    create table announcements (
      id text primary key,
      -- Title and content in each language.
      texts jsonb not null,
      -- Null: every merchant.
      mchids text[],
      receivers int not null,
      operator text not null,
      created_at bigint not null,
      ends_at bigint not null check (ends_at > created_at),
      -- When it left the merchants' tickers.
      over_at bigint,
      withdrawn boolean not null default false check (not withdrawn or over_at is not null)
    );
    create index announcements_running on announcements (ends_at) where over_at is null;
    revoke delete on announcements from coffer_app;
  `.execute(db)
  const workOrders = {
    name: 'work orders',
    table: 'work_orders',
    groups: ['status::text', 'type', `''`],
    time: 'updated_at',
  } as const
  await countRows(db, workOrders)
  await countRows(db, { ...workOrders, everyone: true })
  await countRows(db, {
    name: 'merchants',
    table: 'merchants',
    groups: ['status::text', `''`, `''`],
    where: 'deleted_at is null',
    everyone: true,
  })
}
