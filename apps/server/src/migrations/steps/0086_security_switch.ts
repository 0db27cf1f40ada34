import { type Kysely, sql } from 'kysely'

/** Why: merchants choose which method confirms withdrawals, other money and applications. A group without a choice accepts all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table merchants add column security_switch jsonb not null default '{}'`.execute(db)
}
