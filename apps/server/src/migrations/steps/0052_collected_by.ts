import { type Kysely, sql } from 'kysely'
import type { CountedTable } from '../count-rows.ts'

/** Payments that persons collected, by person. */
export const collectedPayments: CountedTable = {
  name: 'collected payments',
  table: 'payments',
  groups: ['collected_by', 'status::text', 'appid'],
  where: `collected_by <> ''`,
}

/**
 * Why: a clerk sees only what this person collected, and support refunds within a limit for each person. `collected_by`
 * is the person who opened a payment at the counter, or the payment link that opened it; '' for payments of keys and of
 * shops. Persons' payments are counted as other lists are, but row by row: a trigger of statements would copy every
 * change of every payment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payments add column collected_by text not null default '';
    alter table payment_links add column created_by text not null default '';
    alter table refunds add column requested_by text not null default '';
    alter table refund_links
      add column made_by text not null default '',
      -- As of when it was made, in USDT with 18 decimals: what claiming it takes from the balance.
      add column usdt_value base_units not null default 0;

    create index payments_collected on payments (merchant_id, collected_by, status, appid, created_at desc, trade_no desc)
      where collected_by <> '';
    create index payments_collected_lately on payments (merchant_id, collected_by, created_at desc, trade_no desc)
      where collected_by <> '';
    create index refunds_requested on refunds (merchant_id, requested_by, created_at) where requested_by <> '';
    create index refund_links_made on refund_links (merchant_id, made_by, created_at) where made_by <> '';

    create function count_collected_payments() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'UPDATE' then
        insert into list_changes (merchant_id, list, slot, a, b, c, n)
          values (old.merchant_id, 'collected payments', old.created_at - old.created_at % 60, old.collected_by,
            old.status::text, old.appid, -1);
      end if;
      insert into list_changes (merchant_id, list, slot, a, b, c, n)
        values (new.merchant_id, 'collected payments', new.created_at - new.created_at % 60, new.collected_by,
          new.status::text, new.appid, 1);
      return null;
    end $$;
    create trigger payments_collected_added after insert on payments
      for each row when (new.collected_by <> '') execute function count_collected_payments();
    create trigger payments_collected_changed after update of status on payments
      for each row when (new.collected_by <> '' and old.status <> new.status) execute function count_collected_payments();
  `.execute(db)
}
