import { type Kysely, sql } from 'kysely'

/**
 * Why: a copy of a database that was restored beside the original paid what the original had paid. The lineage tells a
 * database that went back to an earlier state: servers remember how far "beats" was. And nobody noticed that backups
 * were no longer made, or that they could not be restored. Each is noted with the time at which it was restored to see
 * that it can be.
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
    create table lineage (
      is_only boolean primary key default true check (is_only),
      beats bigint not null
    );
    revoke delete on lineage from coffer_app;
    -- pg_dump reads them.
    grant select on all sequences in schema public to coffer_app;
    alter default privileges in schema public grant select on sequences to coffer_app;
  `.execute(db)
}
