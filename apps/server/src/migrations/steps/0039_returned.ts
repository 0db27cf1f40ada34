import { type Kysely, sql } from 'kysely'

/**
 * Why: a deposit that was credited to be given back still belonged to its order, which came into doubt with it and
 * never out of it. `deposits.returned`: it was credited only for that, and is nothing to its order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deposits add column returned boolean not null default false;
    update deposits d set returned = true from withdrawals w where w.returns = d.id;
  `.execute(db)
}
