import { type Kysely, sql } from 'kysely'

/**
 * Why: whoever loses the authenticator signs in with a recovery code; who has none left asks the operator, where two people must
 * agree to its removal. It waits, and every address that the merchant had is told, so that the owner can object.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recovery_codes (
      merchant_id text not null references merchants (id),
      code_hash bytea not null,
      used_at bigint,
      primary key (merchant_id, code_hash)
    );

    create table former_emails (
      merchant_id text not null references merchants (id),
      email text not null,
      until bigint not null,
      primary key (merchant_id, email)
    );

    -- At most one at a time: it ends when it is carried out or canceled.
    create table authenticator_removals (
      merchant_id text primary key references merchants (id),
      requested_by text not null,
      requested_at bigint not null,
      confirmed_by text,
      due_at bigint,
      check (confirmed_by <> requested_by),
      check ((confirmed_by is null) = (due_at is null))
    );
    create index authenticator_removals_due on authenticator_removals (due_at);
  `.execute(db)
}
