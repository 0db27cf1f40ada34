import { type Kysely, sql } from 'kysely'

/**
 * Why: a passkey works at the host where it was made only, and a shop that moved to another could not know which of its passkeys those
 * are. Where older ones were made is known to nobody but browsers: it is empty until their next use. A host that is known never changes,
 * so that whoever runs statements as the server's role cannot make a passkey count, or stop counting, as a second factor.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table passkeys add column host text not null default '';
    create index passkeys_host on passkeys (realm, host);
    create constraint trigger audited_passkey_host after update on passkeys deferrable initially deferred
      for each row when (old.host <> '' and old.host is distinct from new.host) execute function require_audit('person_id');
  `.execute(db)
}
