import { type Kysely, sql } from 'kysely'

/** Why: strangers who guess must not delay an operator on a device or in a network that signed in before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table operator_devices (
      operator_id text not null references operators (id),
      token_hash bytea not null,
      network text not null,
      last_used bigint not null,
      primary key (operator_id, token_hash)
    );
  `.execute(db)
}
