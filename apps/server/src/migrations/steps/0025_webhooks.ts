import { type Kysely, sql } from 'kysely'

/**
 * Why: an application reads its events without a notify URL, and has further receivers of them, each with its own URL, events and secret. An
 * attempt at a callback records what was sent.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Events that no notify URL receives; those that one receives are callbacks. They are deleted once they can no longer be read.
    create table unsent_events (
      merchant_id text not null,
      appid text not null,
      id text not null,
      body text not null,
      created_at bigint not null,
      primary key (merchant_id, appid, created_at, id)
    );
    create index unsent_events_age on unsent_events using brin (created_at);

    create table webhook_endpoints (
      merchant_id text not null references merchants (id),
      id text not null,
      appid text not null,
      url text not null,
      description text not null default '',
      -- Events that are not sent: a new kind of event is sent to everybody.
      muted jsonb not null default '[]',
      enabled boolean not null default true,
      -- Sealed. A replaced secret signs too until then.
      secret text not null,
      previous_secret text not null default '',
      previous_until bigint not null default 0,
      created_at bigint not null,
      removed_at bigint,
      primary key (merchant_id, id),
      foreign key (merchant_id, appid) references applications (merchant_id, appid)
    );
    create unique index webhook_endpoints_url on webhook_endpoints (merchant_id, appid, url) where removed_at is null;
    revoke delete on webhook_endpoints from coffer_app;

    -- The endpoint to which it is sent, and the event that it reports; empty for callbacks to notify URLs, which are the events.
    alter table callbacks add column endpoint text not null default '', add column event_id text not null default '';
    -- The body as it was sent; empty where the callback's own body was.
    alter table callback_attempts add column sent text not null default '';
  `.execute(db)
}
