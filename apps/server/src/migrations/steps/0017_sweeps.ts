import { type Kysely, sql } from 'kysely'

/**
 * Why: deposits are moved to the hot wallet, from which withdrawals are paid. Each credited deposit is covered by one sweep at a time. In
 * vault mode nobody online holds the keys of deposit addresses, so that their delegations are signed in advance and imported.
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
      -- foreign: somebody else's transaction moved it to the treasury, as anybody may have Sweeper do.
      reason text not null check (reason in ('worth', 'age', 'asked', 'needed', 'foreign')),
      -- funding: gas is on its way to the address; funded: it has arrived; sent: the sweep is on its way.
      state text not null check (state in ('funding', 'funded', 'sent', 'swept', 'failed')),
      -- What share of the fee of a transaction with several addresses is this one's.
      weight int not null check (weight > 0),
      amount base_units not null default 0 check (amount >= 0),
      txid text not null default '',
      -- Fees of the transactions that prepared it, which the merchant is charged once it is swept.
      spent base_units not null default 0 check (spent >= 0),
      created_at bigint not null,
      updated_at bigint not null,
      -- Staked coin whose energy is lent to the address (TRON), in base units, until it is taken back.
      lent base_units not null default 0 check (lent >= 0),
      -- When a provider was first asked for energy.
      rented_at bigint,
      primary key (merchant_id, id)
    );
    create unique index sweeps_one on sweeps (chain_id, asset_id, address) where state in ('funding', 'funded', 'sent');
    create unique index sweeps_id on sweeps (id);
    create index sweeps_swept on sweeps (chain_id, asset_id, address) where state = 'swept';
    create index sweeps_lent on sweeps (chain_id) where lent > 0;
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
    -- A sweep that failed gives its deposits back.
    create index deposits_of_sweep on deposits (sweep_id) where sweep_id is not null;

    -- Delegations of deposit addresses to Sweeper (EIP-7702), each for the address's nonce 0.
    create table sweep_authorizations (
      chain_id text not null references chains (id),
      key_index int not null check (key_index >= 0),
      -- The contract, which pays one wallet only.
      sweeper text not null,
      signature text not null check (signature ~ '^0x[0-9a-f]{128}0[01]$'),
      primary key (chain_id, key_index, sweeper)
    );
    revoke update, delete on sweep_authorizations from coffer_app;
  `.execute(db)
}
