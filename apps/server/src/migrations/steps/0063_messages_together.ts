import { type Kysely, sql } from 'kysely'

/**
 * Why: whoever is told of a hundred payments one by one reads none of them. What is due to one reader together is sent as one message,
 * by the hour or by the day where the reader wants that, and not in the hours in which the reader wants quiet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table messages
      add column mode text not null default 'now' check (mode in ('now', 'hourly', 'daily')),
      -- What it is one message with: what is due to its reader, and has the same. Null: nothing.
      add column together text,
      -- The message that it was sent with, which has the id, the attempts and the lease of both; null: it has its own.
      add column sent_with text,
      -- Null: the sender finds it, by the clock of the reader.
      alter column due_at drop not null;
    drop index messages_due;
    create index messages_due on messages (due_at) where done_at is null and sent_with is null;
    create index messages_together on messages (address, together)
      where done_at is null and sent_with is null and together is not null;
    create index messages_sent_with on messages (sent_with) where sent_with is not null;
  `.execute(db)
}
