import { type Kysely, sql } from 'kysely'

/**
 * Why: payers claim refunds by a link and choose network and address themselves. A payment has at most one open link, which holds the
 * refunded amount as a refund does. `counted` is what a refund counts for in the asset of its payment, when it is paid in another one;
 * `send_after` gives the merchant time to stop it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table refunds add column counted base_units, add column send_after bigint not null default 0;

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
}
