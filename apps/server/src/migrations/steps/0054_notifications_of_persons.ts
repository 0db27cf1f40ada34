import { type Kysely, sql } from 'kysely'
import { type CountedTable, replaceCounter } from '../count-rows.ts'

const notifications: CountedTable = {
  name: 'notifications',
  table: 'notifications',
  groups: ['status::text', 'types::text', `rtrim(audience || ' ' || person_id)`],
}

/**
 * Why: a notification was one row of a shop with one read marker, and everybody who signed in for the shop would have read everything.
 * Each member whose role it concerns has a row, so that lists, counts and read markers of a person are those of the person's rows.
 * `person_id` is empty for who opened the shop, and `audience` for what was written before there were members, which is the owner's: rows,
 * counts and read markers stay what they are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications add column person_id text not null default '', add column audience text not null default '';
    drop index notifications_page;
    create index notifications_page on notifications
      (merchant_id, person_id, audience, status, types, created_at desc, id desc);
  `.execute(db)
  await replaceCounter(db, notifications)
}
