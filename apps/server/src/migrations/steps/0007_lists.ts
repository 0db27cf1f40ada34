import { type Kysely, sql } from 'kysely'
import { type CountedTable, countRows } from '../count-rows.ts'

/** The merchant's account that a posting changes, and whether it receives. A reserve and a release change both. */
const side = `case when split_part(debit_account, '/', 2) = 'available' and split_part(credit_account, '/', 2) = 'held' then 'reserve'
  when split_part(debit_account, '/', 2) = 'held' and split_part(credit_account, '/', 2) = 'available' then 'release'
  when split_part(credit_account, '/', 2) = 'available' then 'available in'
  when split_part(debit_account, '/', 2) = 'available' then 'available out'
  when split_part(credit_account, '/', 2) = 'held' then 'held in' else 'held out' end`

/** The fund flow: every posting of a merchant. */
export const fundFlow: CountedTable = {
  name: 'fund flow',
  table: 'ledger_postings',
  groups: ['kind', 'asset_id', side],
  where: `merchant_id <> 'house'`,
}

/** Lists of tables of version 0.1.0. */
export const lists: CountedTable[] = [
  { name: 'callbacks', table: 'callbacks', groups: ['status::text', 'appid', 'event'] },
  { name: 'notifications', table: 'notifications', groups: ['status::text', 'types::text', `''`] },
  { name: 'gas expenses', table: 'gas_expenses', groups: ['asset_id', `''`, `''`] },
  fundFlow,
  {
    name: 'recharges',
    table: 'deposits',
    groups: ['asset_id', 'state', `''`],
    time: 'seen_at',
    where: `kind = 'recharge'`,
  },
]

/**
 * Why: a page deep in a list cost as much as everything before it, and so did a total. Each list has counts by minute, hour, day
 * and month, which give its total and the minute in which a page begins, and indexes by the columns of its filters.
 *
 * Triggers count, because rows are written by many statements, and postings by `ledger_post`. A trigger adds what its statement
 * changed to an inbox and locks no counter, so that a busy merchant's transactions do not wait for each other. The job "fold
 * lists" moves the inbox into the counts; readers add what is left in it.
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
      span int not null check (span in (60, 3600, 86400, 2592000)),
      slot bigint not null,
      a text not null,
      b text not null,
      c text not null,
      n bigint not null,
      primary key (merchant_id, list, span, slot, a, b, c)
    );

    create index callbacks_page on callbacks (merchant_id, status, appid, event, created_at desc, id desc);
    drop index callbacks_list;
    create index notifications_page on notifications (merchant_id, status, types, created_at desc, id desc);
    drop index notifications_list;
    drop index ledger_postings_flow;
    create index gas_expenses_page on gas_expenses (merchant_id, asset_id, created_at desc, id desc);
    drop index gas_expenses_list;
    -- 4 is given up.
    create index callbacks_given_up on callbacks (created_at desc) where status = 4;
    create index ledger_postings_page on ledger_postings (merchant_id, kind, asset_id, (${sql.raw(side)}), created_at desc, id desc)
      where merchant_id <> 'house';
    -- The second condition always holds. Only a statement that reads the whole flow has it, so that no other one takes this index.
    create index ledger_postings_flow on ledger_postings (merchant_id, created_at desc, id desc)
      where merchant_id <> 'house' and place >= 0;
    create index deposits_recharges_page on deposits (merchant_id, asset_id, state, seen_at desc, id desc) where kind = 'recharge';
    create index deposits_recharges on deposits (merchant_id, seen_at desc, id desc) where kind = 'recharge';

    -- The payments of an application in any status, in one order.
    create index payments_list_application on payments (merchant_id, appid, created_at desc, trade_no desc);

    alter table payment_counts drop constraint payment_counts_span_check,
      add constraint payment_counts_span_check check (span in (60, 3600, 86400, 2592000));
    delete from payment_counts;
    update statistics_changes set status_from = null, status_to = null where status_from is not null or status_to is not null;
    insert into payment_counts (merchant_id, span, slot, appid, n1, n2, n3, n4, n5, n6, n7, n8)
      select merchant_id, span, created_at - created_at % span, appid,
        ${sql.raw([1, 2, 3, 4, 5, 6, 7, 8].map(status => `count(*) filter (where status = ${status})`).join(', '))}
      from payments cross join unnest(array[60, 3600, 86400, 2592000]) as span group by 1, 2, 3, 4;
  `.execute(db)
  for (const list of lists) await countRows(db, list)
}
