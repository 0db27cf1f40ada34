import { type Kysely, sql } from 'kysely'

/**
 * Why: merchants get an invoice for each month. An invoice never changes: a correction is another version, and the server can
 * neither update nor delete one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table merchants add column billing jsonb not null default '{}';

    create table invoices (
      merchant_id text not null references merchants (id),
      month text not null check (month ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'),
      version int not null check (version > 0),
      number text not null unique,
      fiat text not null,
      details jsonb not null,
      lines jsonb not null,
      issued_at bigint not null,
      primary key (merchant_id, month, version)
    );
    revoke update, delete on invoices from coffer_app;
  `.execute(db)
}
