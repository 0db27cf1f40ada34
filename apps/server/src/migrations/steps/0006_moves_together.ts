import { type Kysely, sql } from 'kysely'

/** Why: payments of one hour that change their status together are one row in the inbox of the figures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table statistics_changes add column moved int not null default 1;
  `.execute(db)
}
