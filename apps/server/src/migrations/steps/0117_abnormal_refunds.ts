import { type Kysely, sql } from 'kysely'

/** Why: the console asks for abnormal refunds each time that it is opened, and there are hardly any among all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index refunds_abnormal on refunds (created_at, id) where status = 7`.execute(db)
}
