import { type Kysely, sql } from 'kysely'

/** Why: an operator looks at the callbacks of all merchants that were given up, newest first, to send them again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // 4 is given up.
  await sql`create index callbacks_given_up on callbacks (created_at desc) where status = 4`.execute(db)
}
