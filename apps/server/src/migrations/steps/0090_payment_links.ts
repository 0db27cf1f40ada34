import { type Kysely, sql } from 'kysely'

/** Why: a merchant without a developer collects by links that open payments. A link is never deleted: records name it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_links (
      merchant_id text not null references merchants (id),
      id text not null,
      token text not null unique check (length(token) = 22),
      appid text not null,
      title text not null,
      currency text not null,
      -- Decimal strings in the currency. Without an amount, the payer enters one between the others.
      amount text not null,
      min_amount text not null,
      max_amount text not null,
      once boolean not null,
      -- Number of the last payment. A link for one payment goes on to the next only when the last ended unpaid.
      payments int not null default 0,
      created_at bigint not null,
      -- 0: never.
      expires_at bigint not null,
      disabled_at bigint,
      primary key (merchant_id, id),
      foreign key (merchant_id, appid) references applications (merchant_id, appid),
      constraint payment_links_amount check (amount = '' or (min_amount = '' and max_amount = ''))
    );
    create index payment_links_page on payment_links (merchant_id, created_at desc, id desc);
    revoke delete on payment_links from coffer_app;
  `.execute(db)
}
