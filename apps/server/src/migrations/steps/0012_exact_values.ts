import { type Kysely, sql } from 'kysely'

/**
 * Why: values in USDT were rounded to 6 decimals for each deposit, so that sums of 18-decimal tokens drifted from the
 * balances. Values now have 18 decimals. The value of USDT is known exactly; the corrections of what was counted go
 * through the inbox of the statistics, which adds them to every sum.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update statistics set volume_usdt = volume_usdt * 1000000000000, income_usdt = income_usdt * 1000000000000,
      refund_usdt = refund_usdt * 1000000000000, withdrawn_usdt = withdrawn_usdt * 1000000000000
      where volume_usdt <> 0 or income_usdt <> 0 or refund_usdt <> 0 or withdrawn_usdt <> 0;
    update statistics_changes set volume_usdt = volume_usdt * 1000000000000, income_usdt = income_usdt * 1000000000000,
      refund_usdt = refund_usdt * 1000000000000, withdrawn_usdt = withdrawn_usdt * 1000000000000
      where volume_usdt <> 0 or income_usdt <> 0 or refund_usdt <> 0 or withdrawn_usdt <> 0;
    insert into statistics_changes (merchant_id, appid, asset_id, at, volume_usdt, income_usdt)
      select merchant_id, appid, asset_id, quarter, sum(volume), sum(income) from (
        select d.merchant_id, p.appid, d.asset_id, d.credited_at - d.credited_at % 900 as quarter,
          round(d.amount * 10::numeric ^ (18 - a.decimals)) - d.usdt_amount * 1000000000000 as volume,
          round((d.amount - d.fee) * 10::numeric ^ (18 - a.decimals))
            - (d.usdt_amount - div(d.usdt_amount * d.fee, d.amount)) * 1000000000000 as income
        from deposits d
        join assets a on a.id = d.asset_id and a.symbol = 'USDT'
        join payments p on p.merchant_id = d.merchant_id and p.trade_no = d.trade_no
        where d.state = 'credited'
      ) corrections group by 1, 2, 3, 4 having sum(volume) <> 0 or sum(income) <> 0;
    update deposits d set usdt_amount = case when a.symbol = 'USDT' then round(d.amount * 10::numeric ^ (18 - a.decimals))
        else d.usdt_amount * 1000000000000 end
      from assets a where a.id = d.asset_id and (a.symbol = 'USDT' or d.usdt_amount <> 0);
  `.execute(db)
}
