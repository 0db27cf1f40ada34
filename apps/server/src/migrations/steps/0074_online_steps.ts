import { type Kysely, sql } from 'kysely'

/**
 * Why: every upgrade was an outage. From now on steps run while servers of the release before go on, unless they say
 * why not (docs/recipes/migration.md). What is listed here is known to be such a step, and how far it got. A server
 * that knows a step neither by its own files nor from here does not run.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table online_steps (
      name text primary key,
      -- Parts that run outside the step's transaction and are done.
      parts_done int not null,
      -- The next page of the table that the present part fills.
      next_page bigint not null
    );
    revoke insert, update, delete on online_steps from coffer_app;
  `.execute(db)
}
