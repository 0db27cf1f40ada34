import { type Kysely, sql } from 'kysely'

/**
 * Why: merchants sign in and confirm with passkeys (WebAuthn). A blocked passkey is one whose counter went backwards: it exists
 * twice. Challenges are authenticated and only remembered once they were used, until they would have expired.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkeys (
      merchant_id text not null references merchants (id),
      id text not null,
      name text not null,
      public_key bytea not null,
      counter bigint not null check (counter >= 0),
      transports text[] not null,
      synced boolean not null,
      created_at bigint not null,
      last_used bigint,
      blocked_at bigint,
      primary key (merchant_id, id)
    );
    create unique index passkeys_id on passkeys (id);

    create table used_passkey_challenges (
      challenge_hash bytea primary key,
      expires_at bigint not null
    );
    create index used_passkey_challenges_end on used_passkey_challenges (expires_at);
  `.execute(db)
}
