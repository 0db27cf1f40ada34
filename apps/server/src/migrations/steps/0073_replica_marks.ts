import { type Kysely, sql } from 'kysely'

/**
 * Why: lists may be read from a replica that has all that the primary had written. Places in the log say so only within
 * one history: another one has no mark that a server has just made on its primary.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table replica_marks (
      -- Chosen by each process of a server when it starts.
      server text primary key,
      mark bigint not null,
      made_at bigint not null
    );
  `.execute(db)
}
