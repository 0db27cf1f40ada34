import { type Kysely, sql } from 'kysely'

/**
 * Why: a merchant may sign in with several providers, with passkeys (WebAuthn) and with recovery codes.
 *
 * - A verification code belongs to a challenge, which only its requester holds, so that strangers cannot use up the attempts of a
 *   mailbox. Codes sent before the upgrade stay until they expire, and confirm nothing.
 * - A blocked passkey is one whose counter went backwards: it exists twice. Challenges are authenticated, and stored only once used.
 * - The removal of an authenticator takes two operators and a delay, and is reported to every former address of the merchant.
 * - `held_at` is 0 while no withdrawal is held back after a sign-in that the merchant does not recognize.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identities (
      provider text not null,
      subject text not null,
      merchant_id text not null references merchants (id),
      created_at bigint not null,
      primary key (provider, subject),
      unique (merchant_id, provider)
    );
    insert into identities (provider, subject, merchant_id, created_at)
      select 'google', google_sub, id, created_at from merchants where google_sub is not null;
    alter table merchants drop column google_sub;

    alter table verification_codes
      drop constraint verification_codes_pkey,
      add column challenge_hash bytea not null default sha256(gen_random_uuid()::text::bytea),
      add column asker text not null default '',
      add column bare_tries int not null default 0;
    alter table verification_codes alter column challenge_hash drop default, alter column asker drop default,
      add primary key (challenge_hash);
    create index verification_codes_asker on verification_codes (channel, target, purpose, asker);

    create table known_devices (
      merchant_id text not null references merchants (id),
      token_hash bytea not null,
      network text not null,
      last_used bigint not null,
      primary key (merchant_id, token_hash)
    );
    create index known_devices_time on known_devices (last_used);

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

    create table recovery_codes (
      merchant_id text not null references merchants (id),
      code_hash bytea not null,
      used_at bigint,
      primary key (merchant_id, code_hash)
    );

    create table former_emails (
      merchant_id text not null references merchants (id),
      email text not null,
      until bigint not null,
      primary key (merchant_id, email)
    );

    -- At most one at a time: it ends when it is carried out or canceled.
    create table authenticator_removals (
      merchant_id text primary key references merchants (id),
      requested_by text not null,
      requested_at bigint not null,
      confirmed_by text,
      due_at bigint,
      check (confirmed_by <> requested_by),
      check ((confirmed_by is null) = (due_at is null))
    );
    create index authenticator_removals_due on authenticator_removals (due_at);

    -- Which method confirms withdrawals, other money and applications. A group without a choice accepts all.
    alter table merchants add column held_at bigint not null default 0, add column security_switch jsonb not null default '{}';
  `.execute(db)
}
