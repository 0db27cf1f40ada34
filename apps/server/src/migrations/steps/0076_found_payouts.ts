import { type Kysely, sql } from 'kysely'

/**
 * Why: after a restore, what the original had paid since stayed abnormal for ever: it could be paid again or given
 * back, and both were wrong. An operator can now name the transaction that has paid such a payout, and each transfer of
 * one settles one payout. Transactions that this database sent stay in `outgoing`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table found_payouts (
      id text primary key,
      chain_id text not null references chains (id),
      txid text not null,
      -- The transfer among those that the transaction logged, from 0; -1 where it sent native coin.
      place int not null check (place >= -1),
      from_address text not null,
      owner text not null check (owner in ('withdrawal', 'refund')),
      merchant_id text not null references merchants (id),
      owner_id text not null,
      -- Its number among the events of its owner.
      seq int not null,
      amount base_units not null check (amount > 0),
      block_number bigint not null,
      block_hash text not null,
      -- Of the transaction; its gas is posted once, whatever it paid.
      fee base_units not null check (fee >= 0),
      -- All operators whose approval counted.
      who text[] not null,
      created_at bigint not null,
      -- The chain has left the block since this time: it settles nothing any more once its owner knows.
      lost_at bigint,
      undone_at bigint
    );
    create unique index found_payouts_once on found_payouts (chain_id, txid, place) where undone_at is null;
    create unique index found_payouts_of on found_payouts (owner, merchant_id, owner_id) where undone_at is null;
    create index found_payouts_blocks on found_payouts (chain_id, block_number) where undone_at is null;
    create index found_payouts_lost on found_payouts (chain_id) where lost_at is not null and undone_at is null;
    create index found_payouts_payout on found_payouts (owner, merchant_id, owner_id);
    create index found_payouts_lately on found_payouts (owner, created_at desc);
    revoke update, delete, truncate on found_payouts from coffer_app;
    grant update (lost_at, undone_at) on found_payouts to coffer_app;
  `.execute(db)
}
