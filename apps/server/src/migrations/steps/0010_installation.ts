import { type Kysely, sql } from 'kysely'

/**
 * Why: a start with another secret, key tree or network gives payers addresses of a stranger and sends no callback. The database
 * keeps fingerprints of what it was first started with. The record of migrations is for its owner alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table fingerprints (
      name text not null,
      value text not null,
      created_at bigint not null,
      primary key (name, value)
    );
    insert into fingerprints (name, value, created_at)
      select 'chain ' || id, definition ->> 'chainId', extract(epoch from now())::bigint from chains
      where definition ->> 'chainId' is not null;
    revoke insert, update, delete on kysely_migration, kysely_migration_lock from coffer_app;
  `.execute(db)
}
