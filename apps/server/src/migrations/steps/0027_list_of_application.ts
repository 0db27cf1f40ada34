import { type Kysely, sql } from 'kysely'

/**
 * Why: addresses for native coin were found among all addresses. The payments of an application in any status were read status by status, in a statement of forty parts that took longer to
 * plan than to run.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index payments_list_application on payments (merchant_id, appid, created_at desc, trade_no desc);
    create index deposit_addresses_native on deposit_addresses (chain_kind, key_index) where leased_for is distinct from 'token';
  `.execute(db)
}
