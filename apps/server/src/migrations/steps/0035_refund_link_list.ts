import { type Kysely, sql } from 'kysely'
import { countRows } from '../count-rows.ts'

/** Why: refund links are listed by page and state, as refunds are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index refund_links_page on refund_links (merchant_id, state, created_at desc, id desc);
  `.execute(db)
  await countRows(db, { name: 'refund links', table: 'refund_links', groups: ['state', `''`, `''`] })
}
