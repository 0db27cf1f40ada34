import { type Kysely, sql } from 'kysely'
import { type CountedTable, firstCounts } from '../count-rows.ts'

/** Lists counted since migration 0008. */
export const lists: CountedTable[] = [
  { name: 'callbacks', table: 'callbacks', groups: ['status::text', 'appid', 'event'] },
  { name: 'notifications', table: 'notifications', groups: ['status::text', 'types::text', `''`] },
  {
    name: 'fund flow',
    table: 'ledger_postings',
    groups: ['kind', 'asset_id', `''`],
    where: `split_part(debit_account, '/', 2) = 'available' or split_part(credit_account, '/', 2) = 'available'`,
  },
  { name: 'gas expenses', table: 'gas_expenses', groups: ['asset_id', `''`, `''`] },
]

/**
 * Why: a page at the end of a busy hour skipped every row of that hour. The counts now have minutes too. Changes not yet folded
 * name only the hour, so everything is counted anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const names = sql.join(lists.map(list => sql.lit(list.name)))
  await sql`
    alter table list_counts drop constraint list_counts_span_check,
      add constraint list_counts_span_check check (span in (60, 3600, 86400, 2592000));
    alter table payment_counts drop constraint payment_counts_span_check,
      add constraint payment_counts_span_check check (span in (60, 3600, 86400, 2592000));

    delete from list_changes where list in (${names});
    delete from list_counts where list in (${names});
    delete from payment_counts;
    update statistics_changes set status_from = null, status_to = null where status_from is not null or status_to is not null;
    insert into payment_counts (merchant_id, span, slot, appid, n1, n2, n3, n4, n5, n6, n7, n8)
      select merchant_id, span, created_at - created_at % span, appid,
        ${sql.raw([1, 2, 3, 4, 5, 6, 7, 8].map(status => `count(*) filter (where status = ${status})`).join(', '))}
      from payments cross join unnest(array[60, 3600, 86400, 2592000]) as span group by 1, 2, 3, 4;
  `.execute(db)
  for (const list of lists) {
    await sql
      .raw(
        `do $$ begin
           execute replace(pg_get_functiondef('count_${list.table}'::regproc), 'created_at % 3600', 'created_at % 60');
         end $$`,
      )
      .execute(db)
    await sql.raw(firstCounts(list, 60)).execute(db)
  }
}
