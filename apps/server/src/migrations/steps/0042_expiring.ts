import { type Kysely, sql } from 'kysely'

/**
 * Why: on TRON transactions have no nonces and expire. One that was never in a block ends without a transaction that uses up its
 * number, and a payout is signed again only once the last transaction can be in no block any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- After this time (milliseconds since 1970) no block may contain it; null where there are nonces.
    alter table outgoing_attempts add column expires bigint;
    alter table outgoing drop constraint outgoing_block, add constraint outgoing_block check (
      num_nulls(txid, block_number, block_hash) = case
        when state in ('in_block', 'final') then 0
        when state = 'void' and txid is not null then 0
        else 3
      end
    );
  `.execute(db)
}
