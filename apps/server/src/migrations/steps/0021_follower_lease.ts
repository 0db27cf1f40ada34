import { type Kysely, sql } from 'kysely'

/** Why: a process that froze while it followed a chain could write what it had read before, after another one went on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table chains add column fence bigint not null default 0, add column leased_until bigint not null default 0,
      add column leased_by bigint;
  `.execute(db)
}
