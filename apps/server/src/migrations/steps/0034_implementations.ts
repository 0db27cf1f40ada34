import { type Kysely, sql } from 'kysely'

/** Why: an issuer may replace the code of its token, which nobody noticed. `implementation`: the contract whose code it runs; null: not known yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table assets add column implementation text`.execute(db)
}
