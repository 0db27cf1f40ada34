import { type Kysely, sql } from 'kysely'

/**
 * Why: deposits are moved to the hot wallet, from which withdrawals are paid. Each credited deposit is covered by one sweep at a time, and a
 * swept address is leased first, because a transfer to an address that holds the token already costs its payer less.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sweeps (
      merchant_id text not null references merchants (id),
      id text not null,
      chain_id text not null references chains (id),
      asset_id text not null references assets (id),
      address text not null,
      key_index int not null,
      reason text not null check (reason in ('worth', 'age', 'asked', 'needed')),
      -- funding: gas is on its way to the address; funded: it has arrived; sent: the sweep is on its way.
      state text not null check (state in ('funding', 'funded', 'sent', 'swept', 'failed')),
      -- What share of the fee of a transaction with several addresses is this one's.
      weight int not null check (weight > 0),
      amount base_units not null default 0 check (amount >= 0),
      txid text not null default '',
      created_at bigint not null,
      updated_at bigint not null,
      primary key (merchant_id, id)
    );
    create unique index sweeps_one on sweeps (chain_id, asset_id, address) where state in ('funding', 'funded', 'sent');
    create index sweeps_funded on sweeps (chain_id) where state = 'funded';
    create index sweeps_failed on sweeps (chain_id, asset_id, address, updated_at) where state = 'failed';

    -- Sweeps that a person asked for; without a merchant, of all.
    create table sweep_requests (
      id text primary key,
      chain_id text not null references chains (id),
      merchant_id text references merchants (id),
      created_at bigint not null
    );

    alter table deposits add column sweep_id text;
    create index deposits_unswept on deposits (chain_id, asset_id, to_address) include (merchant_id, amount, credited_at)
      where state = 'credited' and sweep_id is null;

    alter table deposit_addresses add column swept boolean not null default false;
    drop index deposit_addresses_free;
    create index deposit_addresses_free on deposit_addresses (merchant_id, chain_kind, leased_for, swept, free_at)
      where purpose = 'lease' and leased_for is not null;
  `.execute(db)
}
