import { type Kysely, sql } from 'kysely'

/**
 * Why: what depends on a decision may hold a token that no price source knows. It counted as nothing, so that one
 * operator decided alone. `operator_decisions.value` is null where the value is not known.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operator_decisions alter column value drop not null`.execute(db)
}
