import { type Kysely, sql } from 'kysely'

/** Why: operators sign in and approve payouts with passkeys, as merchants do. A blocked passkey is one of which a copy was used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
  `.execute(db)
}
