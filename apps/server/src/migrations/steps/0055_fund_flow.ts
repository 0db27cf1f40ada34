import { type Kysely, sql } from 'kysely'
import { type CountedTable, countRows } from '../count-rows.ts'

/** The merchant's account that a posting changes, and whether it receives: the available one when both are the merchant's. */
const side = `case when split_part(credit_account, '/', 2) = 'available' then 'available in'
  when split_part(debit_account, '/', 2) = 'available' then 'available out'
  when split_part(credit_account, '/', 2) = 'held' then 'held in' else 'held out' end`

/** The fund flow, counted anew: before, it had no postings between held balances and the house. */
export const fundFlow: CountedTable = {
  name: 'fund flow',
  table: 'ledger_postings',
  groups: ['kind', 'asset_id', side],
  where: `merchant_id <> 'house'`,
}

/**
 * Why: the fund flow shows every posting of a merchant, by account and direction, with its value at the time. An export reads all of
 * them in order, so they have an index in that order, too; prices are kept every five minutes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop trigger ledger_postings_added on ledger_postings;
    drop trigger ledger_postings_removed on ledger_postings;
    drop trigger ledger_postings_changed on ledger_postings;
    drop function count_ledger_postings();
    delete from list_changes where list = 'fund flow';
    delete from list_counts where list = 'fund flow';

    drop index ledger_postings_page;
    create index ledger_postings_page on ledger_postings (merchant_id, kind, asset_id, (${sql.raw(side)}), created_at desc, id desc)
      where merchant_id <> 'house';
    -- The second condition always holds. Only a statement that reads the whole flow has it, so that no other one takes this index.
    create index ledger_postings_flow on ledger_postings (merchant_id, created_at desc, id desc)
      where merchant_id <> 'house' and place >= 0;

    -- In US dollars.
    create table price_history (
      symbol text not null,
      at bigint not null,
      price text not null,
      source text not null,
      primary key (symbol, at)
    );
    revoke update, delete on price_history from coffer_app;

    -- The currency of a merchant's books.
    alter table merchants add column fiat text not null default 'USD' check (fiat ~ '^[A-Z]{3}$');
  `.execute(db)
  await countRows(db, fundFlow)
}
