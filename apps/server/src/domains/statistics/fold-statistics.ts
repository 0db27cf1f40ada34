import { paymentStatus } from '@coffer/contract/codes.ts'
import type pg from 'pg'
import type { Deps } from '../../deps.ts'
import { slotSpansSql } from '../../kit/counted-place.ts'
import { dayStart, dayStarts, findDayInZone } from '../../kit/days.ts'
import { all, first, run, type Statements, toJson, tx } from '../../kit/db.ts'
import { figureColumns, figureNames } from './statistics-write.ts'

const statuses = Object.values(paymentStatus)
/** Columns with the number of payments of each status. */
const counts = statuses.map(status => `n${status}`)
const added = figureNames.map(name => `${name} = statistics.${name} + excluded.${name}`).join(', ')
const summed = figureNames.map(name => `sum(${name}) as ${name}`).join(', ')

/**
 * Takes changes out of the inbox, adds their moves to the list counts, and returns their figures by quarter of an hour.
 */
const takeChanges = all(
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
     from moves cross join unnest(${slotSpansSql}) as span
     group by 1, 2, 3, 4
     order by 1, 2, 3, 4
     on conflict (merchant_id, span, slot, appid) do update
       set ${counts.map(name => `${name} = payment_counts.${name} + excluded.${name}`).join(', ')}
   )
   select merchant_id, at - at % 900 as slot, appid, asset_id, count(*) as taken, ${summed}
   from taken group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
)

/** Sum of the changes taken from the inbox for one merchant, quarter of an hour, application and asset. */
type Quarter = Statements['statistics-take']['row']

const add = run(
  'statistics-add',
  `insert into statistics (merchant_id, span, slot, appid, asset_id, ${figureColumns})
   select merchant_id, $1, slot, appid, asset_id, ${summed}
   from json_to_recordset($2::json) as r (merchant_id text, slot bigint, appid text, asset_id text,
     ${figureNames.map(name => `${name} numeric`).join(', ')})
   group by merchant_id, slot, appid, asset_id
   order by merchant_id, slot, appid, asset_id
   on conflict (merchant_id, span, slot, appid, asset_id) do update set ${added}`,
)

/** Adds figures to the sums of a span. Each row carries its slot. */
const addFigures = (c: pg.PoolClient, span: 'quarter' | 'day' | 'all', rows: Quarter[]) => add(c, span, toJson(rows))

const insertZones = run(
  'statistics-zones-make',
  `insert into statistics_zones (merchant_id, time_zone)
   select id, time_zone from merchants where id = any($1) order by id on conflict do nothing`,
)
const selectZones = all(
  'statistics-zones-lock',
  `select z.merchant_id, m.time_zone as zone, z.time_zone as stored from statistics_zones z
   join merchants m on m.id = z.merchant_id where z.merchant_id = any($1) order by z.merchant_id for update of z`,
)

/** Reads the current zone of these merchants and the zone of their stored days. Locks them for the transaction. */
async function lockZones(c: pg.PoolClient, merchantIds: string[]) {
  await insertZones(c, merchantIds)
  return selectZones(c, merchantIds)
}

/** Reads the first and last quarter of an hour in which a merchant has figures. */
const quartersRange = first(
  'statistics-range',
  `select min(slot) as first, max(slot) as last from statistics where merchant_id = $1 and span = 'quarter'`,
)

const deleteDays = run('statistics-days-drop', `delete from statistics where merchant_id = $1 and span = 'day'`)
/** `$2` has the start of every day and of the day after the last. */
const insertDays = run(
  'statistics-days-make',
  `insert into statistics (merchant_id, span, slot, appid, asset_id, ${figureColumns})
   select merchant_id, 'day', ($2::bigint[])[width_bucket(slot, $2::bigint[])], appid, asset_id, ${summed}
   from statistics where merchant_id = $1 and span = 'quarter' group by 1, 3, 4, 5`,
)
const setZone = run('statistics-zone-set', 'update statistics_zones set time_zone = $2 where merchant_id = $1')

/** Maximum number of changes folded in one transaction. */
const batch = 5_000

/** Folds one batch of pending changes into the sums. Returns true if there may be more. Safe to run concurrently. */
export async function foldStatistics(deps: Deps): Promise<boolean> {
  return tx(deps.pool, async c => {
    const quarters = await takeChanges(c, batch)
    if (quarters.length === 0) return false
    const zones = await lockZones(c, [...new Set(quarters.map(row => row.merchant_id))])
    const zoneOf = new Map(zones.map(row => [row.merchant_id, row.stored]))
    await addFigures(c, 'quarter', quarters)
    const days = quarters.map(row => inDay(row, zoneOf.get(row.merchant_id) ?? 'UTC'))
    await addFigures(c, 'day', days)
    const allTime = quarters.map(row => ({ ...row, slot: 0 }))
    await addFigures(c, 'all', allTime)
    for (const { merchant_id, zone, stored } of zones) if (zone !== stored) await rebuildDays(c, merchant_id, zone)
    return quarters.reduce((sum, row) => sum + row.taken, 0) === batch
  })
}

const inDay = <T extends { slot: number }>(row: T, zone: string): T => ({
  ...row,
  slot: dayStart(findDayInZone(row.slot, zone), zone),
})

/** Rebuilds a merchant's days after a change of time zone. Returns the zone in which they are now stored. */
export const rebuildDailyStatistics = (deps: Deps, merchantId: string): Promise<string> =>
  tx(deps.pool, async c => {
    const [row] = await lockZones(c, [merchantId])
    if (row && row.zone !== row.stored) await rebuildDays(c, merchantId, row.zone)
    return row?.zone ?? 'UTC'
  })

/** Rebuilds a merchant's days from the quarters of an hour. */
async function rebuildDays(c: pg.PoolClient, merchantId: string, zone: string): Promise<void> {
  const { first, last } = (await quartersRange(c, merchantId))!
  const starts =
    first === null || last === null ? [0] : dayStarts(findDayInZone(first, zone), findDayInZone(last, zone), zone)
  await deleteDays(c, merchantId)
  await insertDays(c, merchantId, starts)
  await setZone(c, merchantId, zone)
}
