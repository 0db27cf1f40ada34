import { type Kysely, sql } from 'kysely'

/** Why: an announcement has an end, may be for some merchants, and can be withdrawn. Its notifications have its id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
}
