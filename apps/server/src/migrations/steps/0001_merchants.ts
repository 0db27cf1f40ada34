import { type Kysely, sql } from 'kysely'

/** Why: merchants sign in, prove who they are and keep applications. Secrets are stored hashed or sealed, never plain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table merchants (
      id text primary key,
      mchid text not null unique,
      email text not null,
      google_sub text unique,
      name text not null default '',
      status int not null default 0 check (status between 0 and 5),
      audit_reason text not null default '',
      frozen boolean not null default false,
      password_hash text,
      phone text not null default '',
      area_code text not null default '',
      phone_verified boolean not null default false,
      time_zone text not null default 'UTC',
      language text not null default 'en-US',
      address jsonb not null default '{}',
      socials jsonb not null default '{}',
      website text not null default '',
      authenticator_secret text,
      authenticator_pending text,
      authenticator_step bigint not null default 0,
      factor_changed_at bigint not null default 0,
      currency_order jsonb not null default '[]',
      created_at bigint not null,
      deleted_at bigint
    );
    create unique index merchants_email on merchants (email) where deleted_at is null;
    create unique index merchants_phone on merchants (area_code, phone) where phone_verified and deleted_at is null;
    create index merchants_status on merchants (status, created_at desc) where deleted_at is null;

    create table sessions (
      token_hash bytea primary key,
      id text not null unique,
      merchant_id text not null references merchants (id),
      pending boolean not null,
      tries int not null default 0,
      ip text not null,
      device text not null,
      created_at bigint not null,
      last_seen bigint not null
    );
    create index sessions_merchant on sessions (merchant_id);
    create index sessions_time on sessions (last_seen);

    create table verification_codes (
      channel text not null check (channel in ('email', 'phone')),
      target text not null,
      purpose int not null,
      code_hash bytea not null,
      tries int not null default 0,
      created_at bigint not null,
      expires_at bigint not null,
      used_at bigint,
      primary key (channel, target, purpose)
    );
    create index verification_codes_time on verification_codes (created_at);

    create table tickets (
      ticket_hash bytea primary key,
      merchant_id text not null references merchants (id),
      action text not null,
      expires_at bigint not null,
      used_at bigint
    );
    create index tickets_merchant on tickets (merchant_id);
    create index tickets_time on tickets (expires_at);

    create table throttles (
      key text primary key,
      n int not null,
      since bigint not null
    );
    create index throttles_time on throttles (since);

    create table account_log (
      merchant_id text not null references merchants (id),
      id text not null,
      type text not null,
      ip text not null,
      device text not null,
      address text not null,
      created_at bigint not null,
      primary key (merchant_id, id)
    );
    create index account_log_time on account_log (merchant_id, created_at desc, id desc);

    create table idempotency (
      scope text not null,
      key text not null,
      body_hash bytea not null,
      status int,
      answer text,
      created_at bigint not null,
      primary key (scope, key)
    );
    create index idempotency_time on idempotency (created_at);

    create table uploads (
      name text primary key,
      merchant_id text not null references merchants (id),
      type text not null,
      bytes bytea not null,
      created_at bigint not null
    );
    create index uploads_merchant on uploads (merchant_id);

    create table applications (
      merchant_id text not null references merchants (id),
      appid text not null unique,
      name text not null,
      status int not null check (status in (1, 2)),
      key_hash bytea not null unique,
      key_masked text not null,
      webhook_secret text not null,
      logo text not null default '',
      payment_logo text not null default '',
      website text not null default '',
      notify_url text not null default '',
      payment_mode int not null default 1,
      mixed_payment boolean not null default true,
      tolerance_permille int not null default 0,
      ip_whitelist_enabled boolean not null default false,
      ip_whitelist jsonb not null default '[]',
      remark text not null default '',
      created_at bigint not null,
      deleted_at bigint,
      primary key (merchant_id, appid)
    );
    create unique index applications_name on applications (merchant_id, lower(name)) where deleted_at is null;
  `.execute(db)
}
