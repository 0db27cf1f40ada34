import { type Kysely, sql } from 'kysely'

/** Why: payments and the deposits that pay them, the addresses they are leased, and what each chain was seen to hold. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_blocks (
      chain_id text not null references chains (id),
      number bigint not null,
      hash text not null,
      parent_hash text not null,
      time bigint not null,
      primary key (chain_id, number)
    );

    create table incidents (
      id text primary key,
      kind text not null,
      chain_id text references chains (id),
      detail jsonb not null,
      created_at bigint not null,
      resolved_at bigint
    );

    create table payments (
      merchant_id text not null references merchants (id),
      trade_no text not null,
      appid text not null,
      out_trade_no text not null,
      body_hash bytea not null,
      status int not null check (status between 1 and 8),
      exception text not null default 'none' check (exception in ('none', 'partial', 'over', 'late')),
      usdt_amount base_units not null,
      fiat_name text not null default '',
      fiat_amount text not null default '',
      price jsonb,
      token_rates jsonb not null default '{}',
      fixed_asset_id text references assets (id),
      asset_id text references assets (id),
      chain_id text,
      address text,
      amount base_units not null default 0,
      paid_amount base_units not null default 0,
      pending_amount base_units not null default 0,
      fees base_units not null default 0,
      tolerance_permille int not null,
      mixed_payment boolean not null,
      payment_mode int not null default 1,
      subject text not null default '',
      attach text not null default '',
      return_url text not null default '',
      notify_url text not null default '',
      created_at bigint not null,
      expire_at bigint not null,
      paid_at bigint not null default 0,
      closed_at bigint not null default 0,
      events int not null default 0,
      primary key (merchant_id, trade_no),
      unique (merchant_id, out_trade_no, appid)
    );
    create unique index payments_trade_no on payments (trade_no);
    create index payments_list on payments (merchant_id, created_at desc, trade_no desc);
    create index payments_list_filtered on payments (merchant_id, appid, status, created_at desc, trade_no desc);
    create index payments_list_status on payments (merchant_id, status, created_at desc, trade_no desc);
    create index payments_open on payments (expire_at) where status in (1, 8);

    create table payment_history (
      merchant_id text not null,
      trade_no text not null,
      seq int not null,
      status int not null,
      exception text not null,
      event text not null,
      created_at bigint not null,
      primary key (merchant_id, trade_no, seq)
    );

    create table address_counters (
      chain_kind text primary key,
      next_index int not null
    );

    -- One address serves every chain of its kind, so that money sent on the wrong network still finds its payment.
    create table deposit_addresses (
      chain_kind text not null,
      address text not null,
      key_index int not null,
      merchant_id text not null references merchants (id),
      purpose text not null check (purpose in ('lease', 'fixed')),
      trade_no text,
      free_at bigint,
      created_at bigint not null,
      primary key (chain_kind, address),
      unique (chain_kind, key_index)
    );
    create unique index deposit_addresses_fixed on deposit_addresses (merchant_id, chain_kind) where purpose = 'fixed';
    create index deposit_addresses_free on deposit_addresses (merchant_id, chain_kind, free_at) where purpose = 'lease';

    create table fixed_addresses (
      merchant_id text not null references merchants (id),
      chain_id text not null references chains (id),
      id text not null unique,
      address text not null,
      created_at bigint not null,
      primary key (merchant_id, chain_id)
    );

    create table address_leases (
      chain_kind text not null,
      address text not null,
      since bigint not null,
      merchant_id text not null,
      trade_no text not null,
      primary key (chain_kind, address, since)
    );
    create index address_leases_payment on address_leases (merchant_id, trade_no);

    -- Payments to a fixed address are told apart by their exact amounts, each reserved for a time.
    create table address_amounts (
      chain_kind text not null,
      address text not null,
      asset_id text not null references assets (id),
      amount base_units not null,
      since bigint not null,
      until bigint not null,
      merchant_id text not null,
      trade_no text not null,
      primary key (chain_kind, address, asset_id, amount, since)
    );

    -- Addresses of our own that nobody is given to pay to, such as the hot wallet.
    create table house_addresses (
      chain_kind text not null,
      address text not null,
      purpose text not null,
      created_at bigint not null,
      primary key (chain_kind, address)
    );

    -- Our own transactions from or to deposit addresses, written before they are sent: what they bring is no deposit.
    -- settled_block is null until they are final; one that was replaced is deleted.
    create table own_transactions (
      chain_id text not null references chains (id),
      txid text not null,
      address text not null,
      settled_block bigint,
      created_at bigint not null,
      primary key (chain_id, txid, address)
    );
    create index own_transactions_address on own_transactions (chain_id, address);

    -- What an address held of the native coin in a block: what it holds more later came in somehow.
    create table native_checks (
      chain_id text not null references chains (id),
      address text not null,
      block_number bigint not null,
      balance base_units not null,
      primary key (chain_id, address)
    );

    create table deposits (
      merchant_id text not null references merchants (id),
      id text not null,
      chain_id text not null,
      txid text not null,
      asset_id text not null references assets (id),
      ordinal int not null,
      block_number bigint not null,
      block_hash text not null,
      block_time bigint not null,
      log_index int not null,
      from_address text not null,
      to_address text not null,
      amount base_units not null check (amount > 0),
      counted base_units not null default 0,
      usdt_amount base_units not null default 0,
      fee base_units not null default 0,
      gas base_units not null default 0,
      gas_read boolean not null default false,
      trade_no text,
      kind text not null check (kind in ('payment', 'recharge')),
      late boolean not null default false,
      state text not null check (state in ('seen', 'credited', 'dropped', 'undone')),
      doubted boolean not null default false,
      seen_at bigint not null,
      credited_at bigint not null default 0,
      primary key (merchant_id, id)
    );
    create unique index deposits_once on deposits (chain_id, txid, asset_id, ordinal);
    create index deposits_payment on deposits (merchant_id, trade_no);
    create index deposits_ripe on deposits (chain_id, block_number) where state = 'seen';
    create index deposits_block on deposits (chain_id, block_number);
    create index deposits_address on deposits (merchant_id, to_address) where kind = 'recharge';
    create index deposits_gas on deposits (chain_id) where not gas_read;

    -- Null: the fee of the configuration.
    alter table merchants add column fee_permille int check (fee_permille between 0 and 1000);
  `.execute(db)
}
