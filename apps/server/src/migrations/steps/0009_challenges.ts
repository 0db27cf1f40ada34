import { type Kysely, sql } from 'kysely'

/**
 * Why: strangers could use up the attempts and the sends of a mailbox. A verification code now belongs to a challenge, which
 * only its asker holds, and limits let devices through that have signed in before. Codes sent before the upgrade stay until
 * they expire, but confirm nothing any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
  `.execute(db)
}
