import { type Kysely, sql } from 'kysely'

/**
 * Why: a payment showed the fee rate that its merchant has now, not the one that was applied to it. `payments.fee_bps`
 * is fixed by its first credited deposit; null before, and where it cannot be known.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payments add column fee_bps int check (fee_bps between 0 and 10000);

    -- A fee is the rate's part of the amount, rounded down: of all deposits one rate alone must fit. Several fit tiny
    -- amounts, and none a payment during which the rate changed.
    with fitting as (
      select merchant_id, trade_no, max(div(fee * 10000 + amount - 1, amount)) as lowest,
        min(div((fee + 1) * 10000 + amount - 1, amount) - 1) as highest
      from deposits where state = 'credited' and kind = 'payment' and not returned and trade_no is not null
      group by merchant_id, trade_no
    )
    update payments p set fee_bps = f.lowest from fitting f
    where p.merchant_id = f.merchant_id and p.trade_no = f.trade_no and f.lowest = f.highest and f.lowest <= 10000;
  `.execute(db)
}
