import { type Kysely, sql } from 'kysely'

/**
 * Why: a merchant may let the key of an application mark its orders as paid, such as those that were paid in cash, and change where its
 * callbacks go.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table applications
    add column marks_allowed boolean not null default false,
    add column settings_allowed boolean not null default false`.execute(db)
}
