import { type Kysely, sql } from 'kysely'

/** Why: operators see which messages about the security of accounts reached nobody. Few messages end so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index messages_failed on messages (done_at) where result in ('refused', 'expired')`.execute(db)
}
