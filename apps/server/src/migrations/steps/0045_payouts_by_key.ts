import { type Kysely, sql } from 'kysely'

/**
 * Why: a merchant's server requests withdrawals and refunds. A key that may do so works only from listed addresses. Refunds carry the
 * number of the server and count their events, as withdrawals do. Applications that exist do not receive the events of payouts
 * until their merchant chooses them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table refunds add column origin text not null default 'page' check (origin in ('page', 'api'));
    alter table refunds add column out_no text;
    alter table refunds add column body_hash bytea;
    alter table refunds add column events int not null default 0;
    alter table refunds add constraint refunds_origin check ((origin = 'api') = (out_no is not null));
    create unique index refunds_out_no on refunds (merchant_id, appid, out_no) where out_no is not null;

    alter table applications add constraint applications_payouts_from
      check (not payouts_allowed or (ip_whitelist_enabled and jsonb_array_length(ip_whitelist) > 0));

    update applications set callbacks_muted = callbacks_muted || '["withdrawal.created", "withdrawal.approved", "withdrawal.rejected",
      "withdrawal.sent", "withdrawal.confirming", "withdrawal.completed", "withdrawal.canceled", "withdrawal.abnormal",
      "refund.created", "refund.sent", "refund.confirming", "refund.completed", "refund.canceled", "refund.abnormal"]'::jsonb;
  `.execute(db)
}
