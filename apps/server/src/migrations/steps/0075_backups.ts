import { type Kysely, sql } from 'kysely'

/**
 * Why: nobody noticed that backups were no longer made, or that they could not be restored. Each is noted with the time at which it was
 * restored to see that it can be.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backups (
      id text primary key,
      -- A file of "coffer backup", or what an operator calls one made otherwise.
      name text not null,
      bytes bigint not null,
      made_at bigint not null,
      verified_at bigint
    );
    create index backups_made on backups (made_at desc);
    -- pg_dump reads them.
    grant select on all sequences in schema public to coffer_app;
    alter default privileges in schema public grant select on sequences to coffer_app;
  `.execute(db)
}
