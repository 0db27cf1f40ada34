import { type Kysely, sql } from 'kysely'

/**
 * Why: shops that speak the protocol of another payment service connect with an id and a key of that protocol. Their orders keep what the
 * shop sent, and their callbacks are sent in the shop's form.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shop_connections (
      -- Digits, as some clients take the id for a number.
      id text primary key,
      merchant_id text not null references merchants (id),
      appid text not null,
      protocol text not null,
      -- What amounts without a currency are in.
      currency text not null,
      -- Where callbacks go when an order names no URL.
      notify_url text not null,
      callback_method text not null check (callback_method in ('GET', 'POST')),
      -- Sealed. A hash finds the connection of a key that comes without an id.
      key text not null,
      key_hash bytea not null unique,
      key_masked text not null,
      -- Whether the shop has used this key. While a replaced one is valid, callbacks are signed with it until then.
      key_used boolean not null default false,
      previous_key text not null default '',
      previous_key_hash bytea unique,
      previous_until bigint not null default 0,
      -- RSA keys in PEM: the shop's public ones, and our private one, sealed.
      shop_public_key text not null default '',
      previous_public_key text not null default '',
      private_key text not null default '',
      -- Sealed; what signs callbacks where the shop made a webhook of its own.
      webhook_secret text not null default '',
      -- Whether the shop made its webhook for all events, of which it still gets one.
      webhook_everything boolean not null default false,
      -- When the key was made.
      opened_at bigint not null,
      -- What the shop asked to be allowed, where it did, in words of its protocol.
      permissions text[] not null default '{}',
      created_at bigint not null,
      ended_at bigint,
      foreign key (merchant_id, appid) references applications (merchant_id, appid)
    );
    create index shop_connections_application on shop_connections (merchant_id, appid, created_at desc);

    -- What the shop of an order sent, as its callback repeats it; null for orders of the API.
    alter table payments add column shop jsonb;
    create index payments_shop on payments ((shop ->> 'connection'), created_at desc, trade_no desc) where shop is not null;
    -- How the body is sent: the standard way, or in the form of a shop's protocol.
    alter table callbacks add column form text not null default '';
    create index callbacks_application on callbacks (merchant_id, appid, created_at desc, id desc) where form = '';
  `.execute(db)
}
