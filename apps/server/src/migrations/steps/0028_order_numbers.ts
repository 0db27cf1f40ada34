import { type Kysely, sql } from 'kysely'

/**
 * Why: an order number belongs to the connection of the shop that sent it. Two shops of one application both sell number 12, and a payer who
 * changes the method in the shop comes by another connection. An order that ended without any payment is opened anew under its number:
 * `attempt`, absent for the first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unique index payments_number on payments
      (merchant_id, out_trade_no, appid, coalesce(shop ->> 'connection', ''), coalesce(shop ->> 'attempt', '1'));
    alter table payments drop constraint payments_merchant_id_out_trade_no_appid_key;
  `.execute(db)
}
