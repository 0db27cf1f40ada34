import { type Kysely, sql } from 'kysely'

/**
 * Why: merchants live in chats. A chat or system belongs to the member who added it: it gets what concerns this member, while this member
 * belongs to the shop.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table message_channels (
      id text primary key,
      person_id text not null references persons (id),
      merchant_id text not null references merchants (id),
      kind text not null,
      name text not null,
      -- Sealed: the URL, or the id of a chat of Telegram. Empty until the chat was opened.
      address text not null default '',
      -- Sealed: what signs. Empty for none.
      secret text not null default '',
      -- Hash of the code that links a chat, until it is used.
      code_hash bytea unique,
      code_until bigint not null default 0,
      language text not null,
      created_at bigint not null,
      -- When a message last arrived.
      last_at bigint not null default 0,
      -- Why the last one did not; empty: it did.
      error text not null default ''
    );
    create index message_channels_member on message_channels (person_id, merchant_id);
    create index message_channels_shop on message_channels (merchant_id);

    -- How far what people write to a bot was read. One server reads at a time.
    create table telegram_bots (
      -- The number in the token.
      id text primary key,
      last_id bigint not null,
      -- Until when a server may be reading.
      reading_until bigint not null
    );
  `.execute(db)
}
