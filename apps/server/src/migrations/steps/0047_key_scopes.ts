import { type Kysely, sql } from 'kysely'

/**
 * Why: every key could read and make orders, and one right let it pay out and refund. Now each is a scope of its own;
 * keys that exist keep what they could do. `endpoints_allowed`: keys from before manage webhook endpoints without the
 * scope that also moves the notify URL.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table applications
      add column read_allowed boolean not null default true,
      add column orders_allowed boolean not null default true,
      add column refunds_allowed boolean not null default false,
      add column endpoints_allowed boolean not null default false;
    update applications set refunds_allowed = payouts_allowed, endpoints_allowed = true;
    alter table applications drop constraint applications_payouts_from, add constraint applications_payouts_from
      check (not (payouts_allowed or refunds_allowed) or (ip_whitelist_enabled and jsonb_array_length(ip_whitelist) > 0));
  `.execute(db)
}
