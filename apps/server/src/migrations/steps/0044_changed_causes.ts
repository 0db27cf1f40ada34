import { type Kysely, sql } from 'kysely'

/** Why: an incident that lasts showed the reason that it began with, also when another one had taken its place. Its record says what it was before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table incident_entries drop constraint incident_entries_what_check, add constraint incident_entries_what_check
      check (what in ('took', 'noted', 'ticked', 'unticked', 'closed', 'ended', 'changed'));
  `.execute(db)
}
