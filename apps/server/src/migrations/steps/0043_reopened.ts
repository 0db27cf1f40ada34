import { type Kysely, sql } from 'kysely'

/**
 * Why: transactions of ours that were final in blocks which a deep reorg replaced were never looked at again. Nobody sent them, and
 * every later one of their wallet waited for their nonces. Once the operator resumes the chain they are under way again.
 * `outgoing.ended`: how such a transaction had ended, which its owner knows and `fee` says the cost of; null for all others.
 * `reopened_at`: since when it is under way again. `undone`: how often a payout that was settled was not paid after all.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table outgoing add column ended text check (ended in ('success', 'reverted', 'void')),
      add column reopened_at bigint;
    alter table withdrawals add column undone int not null default 0;
    alter table refunds add column undone int not null default 0;
    grant update (ended, reopened_at) on outgoing to coffer_app;
    create index outgoing_ended_blocks on outgoing (chain_id, block_number) where state in ('final', 'void');
    -- One that is under way again may meet another approval of its token.
    drop index outgoing_one_approval;
    create unique index outgoing_one_approval on outgoing (chain_id, from_address, (intent ->> 'token'))
      where intent ->> 'kind' = 'approve' and state in ('assigned', 'sent', 'in_block') and ended is null;
  `.execute(db)
}
