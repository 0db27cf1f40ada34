import { paymentStatus } from '@coffer/contract/codes.ts'
import type pg from 'pg'
import { all, first, run, type Statements } from '../../kit/db.ts'

const sums = ['created_num', 'paid_num', 'volume_usdt', 'income_usdt', 'refund_usdt', 'withdrawn_usdt', 'volume']
const statuses = Object.values(paymentStatus)
/** Columns with the number of payments of each status. */
const counts = statuses.map(status => `n${status}`)
const columns = sums.join(', ')
const added = sums.map(name => `${name} = statistics.${name} + excluded.${name}`).join(', ')
const summed = sums.map(name => `sum(${name}) as ${name}`).join(', ')

const take = all(
  'statistics-take',
  `with chosen as materialized (
     select merchant_id, id from statistics_changes limit $1 for update skip locked
   ), taken as (
     delete from statistics_changes s using chosen c where s.merchant_id = c.merchant_id and s.id = c.id returning s.*
   ), moves as (
     select merchant_id, appid, status_to as status, payment_created_at as time, moved as n from taken where status_to is not null
     union all
     select merchant_id, appid, status_from, payment_created_at, -moved from taken where status_from is not null
   ), counted as (
     insert into payment_counts (merchant_id, span, slot, appid, ${counts.join(', ')})
     select merchant_id, span, time - time % span, appid,
       ${statuses.map(status => `coalesce(sum(n) filter (where status = ${status}), 0)`).join(', ')}
     from moves cross join unnest(array[3600, 86400, 2592000]) as span
     group by 1, 2, 3, 4
     order by 1, 2, 3, 4
     on conflict (merchant_id, span, slot, appid) do update
       set ${counts.map(name => `${name} = payment_counts.${name} + excluded.${name}`).join(', ')}
   )
   select merchant_id, at - at % 900 as slot, appid, asset_id, count(*) as taken, ${summed}
   from taken group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
)

/** Sum of the changes taken from the inbox for one merchant, quarter of an hour, application and asset. */
export type Quarter = Statements['statistics-take']['row']

/**
 * Takes at most `limit` changes out of the inbox and adds them to the list counts. Returns the number of changes and
 * their figures by quarter of an hour, which the caller must add in the same transaction.
 */
export async function takeChanges(c: pg.PoolClient, limit: number): Promise<{ quarters: Quarter[]; taken: number }> {
  const quarters = await take(c, limit)
  return { quarters, taken: quarters.reduce((sum, row) => sum + row.taken, 0) }
}

const add = run(
  'statistics-add',
  `insert into statistics (merchant_id, span, slot, appid, asset_id, ${columns})
   select merchant_id, $1, slot, appid, asset_id, ${summed}
   from json_to_recordset($2::json) as r (merchant_id text, slot bigint, appid text, asset_id text,
     ${sums.map(name => `${name} numeric`).join(', ')})
   group by merchant_id, slot, appid, asset_id
   order by merchant_id, slot, appid, asset_id
   on conflict (merchant_id, span, slot, appid, asset_id) do update set ${added}`,
)

/** Adds figures to the sums of a span. Each row carries its slot. */
export async function addFigures(c: pg.PoolClient, span: 'quarter' | 'day' | 'all', rows: Quarter[]): Promise<void> {
  if (rows.length > 0) await add(c, span, JSON.stringify(rows))
}

const makeZones = run(
  'statistics-zones-make',
  `insert into statistics_zones (merchant_id, time_zone)
   select id, time_zone from merchants where id = any($1) order by id on conflict do nothing`,
)
const selectZones = all(
  'statistics-zones-lock',
  `select z.merchant_id, m.time_zone as zone, z.time_zone as kept from statistics_zones z
   join merchants m on m.id = z.merchant_id where z.merchant_id = any($1) order by z.merchant_id for update of z`,
)

/** Reads the current zone of these merchants and the zone of their stored days. Locks them for the transaction. */
export async function lockZones(c: pg.PoolClient, merchantIds: string[]) {
  await makeZones(c, merchantIds)
  return selectZones(c, merchantIds)
}

const range = first(
  'statistics-range',
  `select min(slot) as first, max(slot) as last from statistics where merchant_id = $1 and span = 'quarter'`,
)

/** Returns the first and last quarter of an hour in which a merchant has figures, or undefined. */
export async function quartersRange(c: pg.PoolClient, merchantId: string): Promise<[number, number] | undefined> {
  const { first, last } = (await range(c, merchantId))!
  return first === null || last === null ? undefined : [first, last]
}

const dropDays = run('statistics-days-drop', `delete from statistics where merchant_id = $1 and span = 'day'`)
const makeDays = run(
  'statistics-days-make',
  `insert into statistics (merchant_id, span, slot, appid, asset_id, ${columns})
   select merchant_id, 'day', ($2::bigint[])[width_bucket(slot, $2::bigint[])], appid, asset_id, ${summed}
   from statistics where merchant_id = $1 and span = 'quarter' group by 1, 3, 4, 5`,
)
const setZone = run('statistics-zone-set', 'update statistics_zones set time_zone = $2 where merchant_id = $1')

/** Rebuilds a merchant's days from the quarters. `starts` has the start of every day and of the day after the last. */
export async function remakeDays(c: pg.PoolClient, merchantId: string, zone: string, starts: number[]): Promise<void> {
  await dropDays(c, merchantId)
  await makeDays(c, merchantId, starts)
  await setZone(c, merchantId, zone)
}
