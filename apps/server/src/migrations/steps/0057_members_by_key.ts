import { type Kysely, sql } from 'kysely'

/**
 * Why: a key may list, invite and remove members, as a scope of its own that no key from before has. As one that pays
 * out, it works from listed addresses only. `appid` of an invitation: whose key made it; empty without one. Then
 * `invited_by` is the owner who made the key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table applications add column members_allowed boolean not null default false;
    alter table applications drop constraint applications_payouts_from, add constraint applications_payouts_from
      check (not (payouts_allowed or refunds_allowed or members_allowed)
        or (ip_whitelist_enabled and jsonb_array_length(ip_whitelist) > 0));
    alter table member_invitations add column appid text not null default '';
  `.execute(db)
}
