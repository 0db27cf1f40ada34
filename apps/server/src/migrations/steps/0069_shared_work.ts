import { type Kysely, sql } from 'kysely'

/**
 * Why: every server ran every job, and the one that started first followed all chains. Now each piece of work is leased
 * to one server, and who does what can be read. A lease holds while its server says that it is there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table servers (
      id text primary key,
      name text not null,
      -- Key of an advisory lock that its process holds.
      presence bigint not null,
      -- Work that it leaves to others for a time.
      declined text[] not null,
      started_at bigint not null,
      seen_at bigint not null
    );
    -- An empty server_id: nobody has it.
    create table work_leases (
      work text primary key,
      server_id text not null,
      since bigint not null
    );
  `.execute(db)
}
