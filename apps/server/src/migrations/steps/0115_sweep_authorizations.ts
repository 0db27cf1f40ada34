import { type Kysely, sql } from 'kysely'

/** Why: in vault mode nobody online holds the keys of deposit addresses, so that their delegations are signed in advance and imported. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Delegations of deposit addresses to Sweeper (EIP-7702), each for the address's nonce 0.
    create table sweep_authorizations (
      chain_id text not null references chains (id),
      key_index int not null check (key_index >= 0),
      signature text not null check (signature ~ '^0x[0-9a-f]{128}0[01]$'),
      primary key (chain_id, key_index)
    );
    revoke update, delete on sweep_authorizations from coffer_app;
  `.execute(db)
}
