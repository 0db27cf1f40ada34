import { type Kysely, sql } from 'kysely'
import { countRows } from '../count-rows.ts'

/**
 * Why: merchants give payments back. What was refunded of a payment, or is on its way, never exceeds what was credited when it was
 * requested: a constraint compares the two, also when two refunds are requested at once.
 *
 * Payers claim refunds by a link and choose network and address themselves. A payment has at most one open link, which holds the
 * refunded amount as a refund does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_refunds (
      merchant_id text not null,
      trade_no text not null,
      credited base_units not null,
      refunded base_units not null,
      primary key (merchant_id, trade_no),
      constraint payment_refunds_within check (refunded >= 0 and refunded <= credited)
    );

    create table refunds (
      merchant_id text not null references merchants (id),
      id text not null unique,
      trade_no text not null,
      appid text not null,
      asset_id text not null references assets (id),
      chain_id text not null references chains (id),
      to_address text not null,
      kind text not null check (kind in ('surplus', 'part', 'all')),
      basis text not null check (basis in ('token', 'fiat')),
      gas_payer text not null check (gas_payer in ('merchant', 'payer')),
      -- Counts against the payment; receives arrives; total leaves the balance.
      amount base_units not null check (amount > 0),
      gas base_units not null check (gas >= 0),
      receives base_units not null check (receives > 0),
      total base_units not null,
      -- In USDT with 18 decimals.
      usdt_value base_units not null,
      status int not null check (status between 3 and 7),
      reason text not null,
      failure text not null default '',
      -- The checks of the destination that warned when it was requested.
      warnings text[] not null default '{}',
      txid text not null default '',
      -- The chain transaction that carries it, by its nonce.
      out_chain text,
      out_from text,
      out_nonce bigint,
      settled base_units not null default 0,
      released base_units not null default 0,
      created_at bigint not null,
      updated_at bigint not null,
      origin text not null default 'page' check (origin in ('page', 'api')),
      out_no text,
      body_hash bytea,
      events int not null default 0,
      -- What it counts for in the asset of its payment, when it is paid in another one.
      counted base_units,
      -- Until then the merchant can stop it.
      send_after bigint not null default 0,
      by_passkey boolean not null default false,
      primary key (merchant_id, id),
      constraint refunds_origin check ((origin = 'api') = (out_no is not null)),
      constraint refunds_total check (total = receives + gas and amount = case gas_payer when 'merchant' then receives else total end),
      constraint refunds_out check (num_nulls(out_chain, out_from, out_nonce) in (0, 3)),
      -- 5 is accomplished, 6 canceled.
      constraint refunds_balanced check (case status
        when 5 then total = settled + gas and released = 0
        when 6 then total = released and settled = 0
        else settled = 0 and released = 0
      end)
    );
    create index refunds_page on refunds (merchant_id, status, asset_id, appid, created_at desc, id desc);
    create index refunds_of_payment on refunds (merchant_id, trade_no);
    create index refunds_due on refunds (chain_id, created_at, id) where status = 3 and out_nonce is null;
    create index refunds_lately on refunds (merchant_id, created_at);
    create index refunds_abnormal on refunds (created_at, id) where status = 7;
    create unique index refunds_out_no on refunds (merchant_id, appid, out_no) where out_no is not null;
    revoke delete on refunds, payment_refunds from coffer_app;

    -- What operators decided about abnormal refunds; never shown to merchants.
    create table refund_decisions (
      merchant_id text not null,
      refund_id text not null,
      -- Its number among the events of the refund.
      seq int not null,
      event text not null check (event in ('paid_again', 'released')),
      -- All whose approval counted.
      who text[] not null,
      created_at bigint not null,
      primary key (merchant_id, refund_id, seq),
      foreign key (merchant_id, refund_id) references refunds (merchant_id, id)
    );
    create index refund_decisions_lately on refund_decisions (created_at desc);
    revoke update, delete on refund_decisions from coffer_app;

    create table refund_links (
      merchant_id text not null,
      id text not null,
      trade_no text not null,
      appid text not null,
      token_hash bytea not null unique,
      kind text not null check (kind in ('surplus', 'part', 'all')),
      basis text not null check (basis in ('token', 'fiat')),
      gas_payer text not null check (gas_payer in ('merchant', 'payer')),
      -- In base units of the payment's asset.
      amount base_units not null check (amount > 0),
      reason text not null,
      by_passkey boolean not null,
      state text not null default 'open' check (state in ('open', 'claimed', 'canceled', 'expired')),
      refund_id text,
      out_no text,
      body_hash bytea,
      expires_at bigint not null,
      created_at bigint not null,
      primary key (merchant_id, id),
      foreign key (merchant_id, trade_no) references payments (merchant_id, trade_no),
      foreign key (merchant_id, refund_id) references refunds (merchant_id, id),
      constraint refund_links_claimed check ((state = 'claimed') = (refund_id is not null))
    );
    create unique index refund_links_open on refund_links (merchant_id, trade_no) where state = 'open';
    create unique index refund_links_out_no on refund_links (merchant_id, appid, out_no) where out_no is not null;
    create index refund_links_expiry on refund_links (expires_at) where state = 'open';
    create index refund_links_of_payment on refund_links (merchant_id, trade_no, created_at);
    revoke delete on refund_links from coffer_app;
  `.execute(db)
  await countRows(db, { name: 'refunds', table: 'refunds', groups: ['status::text', 'asset_id', 'appid'] })
}
