import { limits } from '@coffer/contract/kit/limits.ts'
import type { Deps } from '../../deps.ts'
import { addDays, countDays, dayStarts, findDayInZone } from '../../kit/days.ts'
import { all, first, type Queryable } from '../../kit/db.ts'
import { describeFieldRequirement, Refusal } from '../../kit/refusal.ts'
import { rebuildDailyStatistics } from './fold-statistics.ts'
import { figureColumns, figureNames } from './statistics-write.ts'

export type StatisticsFigures = Record<(typeof figureNames)[number], bigint>

const summed = figureNames.map(name => `sum(${name}) as ${name}`).join(', ')
const figuresOf = (row: Record<keyof StatisticsFigures, bigint | null>) =>
  Object.fromEntries(figureNames.map(name => [name, row[name] ?? 0n])) as StatisticsFigures

/** Sums figures. */
export const sumFigures = (rows: readonly StatisticsFigures[]) =>
  Object.fromEntries(
    figureNames.map(name => [name, rows.reduce((sum, row) => sum + row[name], 0n)]),
  ) as StatisticsFigures

const allTime = first(
  'statistics-all-time',
  `select ${summed} from (
     select ${figureColumns} from statistics where merchant_id = $1 and span = 'all'
     union all
     select ${figureColumns} from statistics_changes where merchant_id = $1
   ) figures`,
)

/** Reads the all-time figures of a merchant, including unfolded changes. */
export const readAllTimeFigures = async (c: Queryable, merchantId: string): Promise<StatisticsFigures> =>
  figuresOf((await allTime(c, merchantId))!)

/** Reads the days that start at the times $4, which ends with the start of the day after the last. */
const readDays = all(
  'statistics-days',
  `select slot, appid, asset_id, ${summed} from (
     select slot, appid, asset_id, ${figureColumns} from statistics
     where merchant_id = $1 and span = 'day' and slot >= $2 and slot < $3
     union all
     select ($4::bigint[])[width_bucket(at, $4::bigint[])], appid, asset_id, ${figureColumns} from statistics_changes
     where merchant_id = $1 and at >= $2 and at < $3
   ) figures
   where $5::text is null or appid = $5
   group by slot, appid, asset_id`,
)

const zones = first(
  'statistics-zones',
  `select m.time_zone as zone, z.time_zone as stored from merchants m left join statistics_zones z on z.merchant_id = m.id
   where m.id = $1`,
)

/**
 * Reads the merchant's time zone and that of the stored days (null before the first fold). They differ after a change.
 */
export const readMerchantTimeZones = async (c: Queryable, merchantId: string) =>
  (await zones(c, merchantId)) ?? { zone: 'UTC', stored: null }

const tooMany = describeFieldRequirement(
  'start_time',
  `at most ${limits.statisticsDaysMax} days before end_time`,
  `不早于 end_time 之前 ${limits.statisticsDaysMax} 天`,
)

/** Number of days of a query without a range. */
const daysDefault = 30

/** Days in order, and figures by day, application and asset. `slot` is the start of a day in Unix seconds. */
export interface DailyFigures {
  days: { date: string; start: number }[]
  figures: (StatisticsFigures & { slot: number; appid: string; asset_id: string })[]
}

/**
 * Reads the days from `start` to `end` (Unix seconds), both included, in the merchant's time zone. The default is the
 * last 30 days; `days` reads the last ones instead of a range. Future days are omitted; more than 366 days are refused.
 * A range that is reversed or in the future has no days.
 */
export async function readStatistics(
  deps: Deps,
  input: {
    merchantId: string
    start?: number | undefined
    end?: number | undefined
    days?: number | undefined
    appid?: string | undefined
  },
): Promise<DailyFigures> {
  const now = deps.clock()
  const { zone, stored } = await readMerchantTimeZones(deps.pool, input.merchantId)
  const today = findDayInZone(now, zone)
  const { start, end, days } = input
  const last = days === undefined && end !== undefined && end < now ? findDayInZone(end, zone) : today
  const first =
    days !== undefined || start === undefined ? addDays(last, 1 - (days ?? daysDefault)) : findDayInZone(start, zone)
  if (first > last) return { days: [], figures: [] }
  if (countDays(first, last) > limits.statisticsDaysMax)
    throw new Refusal('parameter_error', { field: 'start_time', detail: tooMany })
  if (stored !== null && stored !== zone) await rebuildDailyStatistics(deps, input.merchantId)
  const starts = dayStarts(first, last, zone)
  const rows = await readDays(deps.pool, input.merchantId, starts[0]!, starts.at(-1)!, starts, input.appid)
  return {
    days: starts.slice(0, -1).map((start, index) => ({ date: addDays(first, index), start })),
    figures: rows.map(row => ({ ...figuresOf(row), slot: row.slot, appid: row.appid, asset_id: row.asset_id })),
  }
}
