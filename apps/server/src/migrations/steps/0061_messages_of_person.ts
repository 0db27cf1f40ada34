import { type Kysely, sql } from 'kysely'

/** Why: people read what was sent to them, newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index messages_person on messages (person_id, merchant_id, created_at desc, id desc)`.execute(db)
}
