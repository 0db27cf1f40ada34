import { type Kysely, sql } from 'kysely'

/**
 * Why: a credit writes each of its rows into every index of their tables. Lists of callbacks are read through `callbacks_page`, and hardly
 * any group of postings reverses another.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index callbacks_list;
    alter table ledger_groups drop constraint ledger_groups_reverses_key;
    create unique index ledger_groups_reverses_key on ledger_groups (reverses) where reverses is not null;
  `.execute(db)
}
