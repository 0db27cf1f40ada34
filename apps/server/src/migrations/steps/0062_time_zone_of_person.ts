import { type Kysely, sql } from 'kysely'

/**
 * Why: a message that arrives late says when the thing happened, and to whoever reads it only the own clock says that. The zone is that
 * of the browser of the last sign-in, until the person chooses one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table persons
      -- Null: not known.
      add column time_zone text,
      add column time_zone_chosen boolean not null default false;
  `.execute(db)
}
