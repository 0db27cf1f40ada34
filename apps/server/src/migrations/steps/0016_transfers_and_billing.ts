import { type Kysely, sql } from 'kysely'
import { countRows } from '../count-rows.ts'

/**
 * Why: merchants transfer balances to each other; each side has its own row, so that either finds its list by its own key. The books of
 * a merchant are kept in a currency, by prices of every five minutes. An invoice never changes: a correction is another version, and
 * the server can neither update nor delete one. Hardly any group of postings reverses another, so their index leaves the rest out.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table internal_transfers (
      merchant_id text not null,
      id text not null,
      direction text not null check (direction in ('in', 'out')),
      other_id text not null check (other_id <> merchant_id),
      asset_id text not null references assets (id),
      amount base_units not null check (amount > 0),
      note text not null,
      -- The Idempotency-Key of the sender's request.
      request_key text,
      created_at bigint not null,
      -- In USDT with 18 decimals.
      usdt_value base_units not null default 0,
      by_passkey boolean not null default false,
      primary key (merchant_id, id)
    );
    create unique index internal_transfers_request on internal_transfers (merchant_id, request_key) where request_key is not null;
    create index internal_transfers_page on internal_transfers (merchant_id, direction, asset_id, created_at desc, id desc);
    create index internal_transfers_lately on internal_transfers (merchant_id, created_at) where direction = 'out';

    -- To whom a merchant has transferred, or wanted to, and since when: without a second factor a new receiver waits.
    create table transfer_receivers (
      merchant_id text not null references merchants (id),
      other_id text not null,
      created_at bigint not null,
      primary key (merchant_id, other_id)
    );

    -- In US dollars.
    create table price_history (
      symbol text not null,
      at bigint not null,
      price text not null,
      source text not null,
      primary key (symbol, at)
    );
    revoke update, delete on price_history from coffer_app;

    -- The currency of a merchant's books.
    alter table merchants add column fiat text not null default 'USD' check (fiat ~ '^[A-Z]{3}$');

    alter table merchants add column billing jsonb not null default '{}';

    create table invoices (
      merchant_id text not null references merchants (id),
      month text not null check (month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
      version int not null check (version > 0),
      number text not null unique,
      fiat text not null,
      details jsonb not null,
      lines jsonb not null,
      issued_at bigint not null,
      primary key (merchant_id, month, version)
    );
    revoke update, delete on invoices from coffer_app;

    alter table ledger_groups drop constraint ledger_groups_reverses_key;
    create unique index ledger_groups_reverses_key on ledger_groups (reverses) where reverses is not null;
  `.execute(db)
  await countRows(db, {
    name: 'internal transfers',
    table: 'internal_transfers',
    groups: ['direction', 'asset_id', `''`],
  })
}
