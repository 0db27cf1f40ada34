import { type Kysely, sql } from 'kysely'

/**
 * Why: applications choose the events of their callbacks, replaced secrets stay valid for a while, and orders have metadata, a
 * cancel URL and a search by what stands in them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Events that are not sent: a new kind of event is sent to everybody.
    alter table applications
      add column callbacks_muted jsonb not null default '[]',
      add column previous_key_hash bytea,
      add column previous_key_masked text not null default '',
      add column previous_key_until bigint not null default 0,
      add column previous_webhook_secret text not null default '',
      add column previous_webhook_until bigint not null default 0;
    create unique index applications_previous_key on applications (previous_key_hash);

    alter table payments
      add column metadata jsonb not null default '{}',
      add column cancel_url text not null default '',
      add column auto_redirect boolean not null default false,
      drop constraint payments_exception_check,
      add constraint payments_exception_check
        check (exception in ('none', 'partial', 'over', 'late', 'marked_paid', 'marked_invalid'));
    create index payments_exception on payments (merchant_id, exception, created_at desc, trade_no desc)
      where exception <> 'none';

    -- Why the merchant marked a payment; empty for every other step.
    alter table payment_history add column reason text not null default '';

    -- What payments are searched by: words of their texts, and the hashes of their metadata's entries.
    create table payment_terms (
      merchant_id text not null references merchants (id),
      term text collate "C" not null,
      created_at bigint not null,
      trade_no text not null,
      primary key (merchant_id, term, created_at, trade_no)
    );
    insert into payment_terms (merchant_id, term, created_at, trade_no)
      select merchant_id, 'w:' || lower(out_trade_no), created_at, trade_no from payments
      union
      select merchant_id, 'w:' || left(word, 64), created_at, trade_no
      from payments, regexp_split_to_table(lower(subject || ' ' || attach), '\\W+') word
      where subject || attach <> '' and word <> '';
  `.execute(db)
}
