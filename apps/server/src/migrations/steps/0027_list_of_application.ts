import { type Kysely, sql } from 'kysely'

/**
 * Why: the payments of an application in any status were read status by status, in a statement of forty parts that took longer to
 * plan than to run.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index payments_list_application on payments (merchant_id, appid, created_at desc, trade_no desc)
  `.execute(db)
}
