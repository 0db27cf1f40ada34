import { type Kysely, sql } from 'kysely'

/**
 * Why: many payouts of a token are paid in one transaction. Where that ends without paying, each of its payouts goes on by itself, and
 * only those that a person stopped are void. The allowance that batches are paid from is set by one transaction at a time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Whether a person stopped this item; the others of a cancelled batch are paid by other transactions.
    alter table outgoing_items add column stopped boolean not null default false;
    grant update (stopped) on outgoing_items to coffer_app;
    create index outgoing_items_ended on outgoing_items (owner, merchant_id, owner_id) where not live;
    create index outgoing_approvals on outgoing (chain_id, from_address, (intent ->> 'token'), nonce) where intent ->> 'kind' = 'approve';
    create unique index outgoing_one_approval on outgoing (chain_id, from_address, (intent ->> 'token'))
      where intent ->> 'kind' = 'approve' and state in ('assigned', 'sent', 'in_block');
  `.execute(db)
}
