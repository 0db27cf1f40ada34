import { type Kysely, sql } from 'kysely'

/**
 * Why: mails and text messages about events were sent after the commit, and a crash or a mail server that was away lost them. They are
 * queued in the transaction of the event, and sent until they arrive, are refused for good, or nobody needs them any more. There are no
 * foreign keys: what is told of a person or a shop that ends is still sent.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table messages (
      -- Ordered by time. Receivers know the message by it: a repeat has the same.
      id text primary key,
      realm text not null check (realm in ('shop', 'console')),
      -- Null: of the installation.
      merchant_id text,
      person_id text not null,
      -- Whom the event concerns: the reader must still be one of them when it is sent. 'self': whatever the role.
      audience text not null,
      channel text not null,
      -- As of the event, so that it reaches the address that a thief has changed.
      address text not null,
      event text not null,
      params jsonb not null,
      created_at bigint not null,
      -- When it is sent, or, while it is being sent, when another attempt may begin.
      due_at bigint not null,
      tries int not null default 0,
      done_at bigint,
      -- How it ended; empty while it waits.
      result text not null default '',
      -- Of the last attempt.
      error text not null default '',
      check ((done_at is null) = (result = ''))
    );
    create index messages_due on messages (due_at) where done_at is null;
    create index messages_time on messages (created_at);
  `.execute(db)
}
