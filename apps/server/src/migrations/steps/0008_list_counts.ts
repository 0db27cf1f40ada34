import { type Kysely, sql } from 'kysely'
import { type CountedTable, countRows } from '../count-rows.ts'

const lists: CountedTable[] = [
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
 * Why: a page deep in a list cost as much as everything before it, and so did a total. Each list now has counts by hour, day
 * and month, which tell its total and the hour in which a page begins, and an index by the columns of its filters.
 *
 * The counts are kept by triggers, because rows are written by many statements, and postings by `ledger_post`. A trigger
 * adds what its statement changed to an inbox and locks no counter, so that a busy merchant's transactions do not wait for
 * each other. The job "fold lists" moves the inbox into the counts; readers add what is left in it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table list_changes (
      merchant_id text not null,
      list text not null,
      id uuid not null default gen_random_uuid(),
      slot bigint not null,
      a text not null,
      b text not null,
      c text not null,
      n bigint not null,
      primary key (merchant_id, list, id)
    );

    create table list_counts (
      merchant_id text not null,
      list text not null,
      span int not null check (span in (3600, 86400, 2592000)),
      slot bigint not null,
      a text not null,
      b text not null,
      c text not null,
      n bigint not null,
      primary key (merchant_id, list, span, slot, a, b, c)
    );

    create index callbacks_page on callbacks (merchant_id, status, appid, event, created_at desc, id desc);
    create index notifications_page on notifications (merchant_id, status, types, created_at desc, id desc);
    drop index notifications_list;
    create index ledger_postings_page on ledger_postings (merchant_id, kind, asset_id, created_at desc, id desc)
      where split_part(debit_account, '/', 2) = 'available' or split_part(credit_account, '/', 2) = 'available';
    drop index ledger_postings_flow;
    create index gas_expenses_page on gas_expenses (merchant_id, asset_id, created_at desc, id desc);
    drop index gas_expenses_list;
  `.execute(db)
  for (const list of lists) await countRows(db, list, 3600)
}
