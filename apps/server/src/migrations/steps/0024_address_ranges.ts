import { type Kysely, sql } from 'kysely'

/**
 * Why: orders with a chain and token waited for each other at the counter of addresses, until each was committed. A server now
 * takes a range of indexes at once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table address_ranges (
      chain_kind text not null,
      first_index int not null,
      next_index int not null check (next_index > first_index),
      created_at bigint not null,
      primary key (chain_kind, first_index)
    );
  `.execute(db)
}
