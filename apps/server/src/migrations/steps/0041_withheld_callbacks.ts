import { type Kysely, sql } from 'kysely'

/**
 * Why: a callback that says that its order is paid, after money of it went back, was tried for three days and given up in silence. It is
 * withheld (5), which says why, and those that were given up for this reason say so, too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table callbacks drop constraint callbacks_status_check, add constraint callbacks_status_check check (status between 1 and 5);
    update callbacks set status = 5 where status = 4 and result = 'not_paid';
  `.execute(db)
}
