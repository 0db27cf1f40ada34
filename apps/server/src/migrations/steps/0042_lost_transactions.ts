import { type Kysely, sql } from 'kysely'

/**
 * Why: a deep reorg may take transactions of ours out of their final blocks, and what they moved of the native coin of
 * deposit addresses with them. Until they are in final blocks again they have moved nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The last block up to which a transaction that was lost is in none; null of one that was not.
    alter table own_transactions add column absent_to bigint check (absent_to is null or settled_block is null);
    create index own_transactions_open on own_transactions (chain_id) where settled_block is null;
  `.execute(db)
}
