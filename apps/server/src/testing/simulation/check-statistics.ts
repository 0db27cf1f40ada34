import assert from 'node:assert/strict'
import { rowsOf } from '../money.ts'
import type { World } from './world.ts'

/** Asserts that folded and pending statistics equal the sums of payments and deposits, per application and asset. */
export async function assertStatistics({ owner }: World): Promise<void> {
  for (const span of ['quarter', 'day', 'all']) {
    const wrong = await rowsOf(
      owner,
      `with told as (
         select appid, asset_id, sum(created_num) as created_num, sum(paid_num) as paid_num, sum(volume_usdt) as volume_usdt,
           sum(income_usdt) as income_usdt, sum(volume) as volume
         from (
           select appid, asset_id, created_num, paid_num, volume_usdt, income_usdt, volume from statistics where span = $1
           union all select appid, asset_id, created_num, paid_num, volume_usdt, income_usdt, volume from statistics_changes
         ) s group by appid, asset_id
       ), events as (
         select appid, '' as asset_id, 1 as created_num, 0 as paid_num, 0 as volume_usdt, 0 as income_usdt, 0 as volume
         from payments
         union all select appid, coalesce(asset_id, ''), 0, 1, 0, 0, 0 from payments where paid_at > 0
         union all
         select p.appid, d.asset_id, 0, 0, d.usdt_amount, d.usdt_amount - div(d.usdt_amount * d.fee, d.amount), d.amount
         from deposits d join payments p on p.trade_no = d.trade_no where d.state = 'credited'
           and not d.returned
       ), should as (
         select appid, asset_id, sum(created_num) as created_num, sum(paid_num) as paid_num, sum(volume_usdt) as volume_usdt,
           sum(income_usdt) as income_usdt, sum(volume) as volume from events group by appid, asset_id
       )
       select appid, asset_id, to_json(t) as told, to_json(s) as should
       from told t full join should s using (appid, asset_id)
       where (coalesce(t.created_num, 0), coalesce(t.paid_num, 0), coalesce(t.volume_usdt, 0), coalesce(t.income_usdt, 0),
           coalesce(t.volume, 0))
         is distinct from (coalesce(s.created_num, 0), coalesce(s.paid_num, 0), coalesce(s.volume_usdt, 0),
           coalesce(s.income_usdt, 0), coalesce(s.volume, 0))`,
      [span],
    )
    assert.deepEqual(wrong, [], `statistics by ${span} are the sums of their rows`)
  }
}
