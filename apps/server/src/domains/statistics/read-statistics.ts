import type { Deps } from '../../deps.ts'
import { addDays, countDays, dayOf, dayStarts } from '../../kit/days.ts'
import { Refusal } from '../../kit/refusal.ts'
import { moveDays } from './fold-statistics.ts'
import { type DayFigures, readDays, readZones } from './statistics-read.ts'

/** Most days that are told at once. */
export const daysMax = 366
/** Days told when nothing is asked for. */
const daysDefault = 30

/** Figures of some days of a merchant: the days in order, and what there was by day, application and asset. */
export interface DaysRead {
  days: { date: string; start: number }[]
  figures: DayFigures[]
}

/**
 * Reads the days in which `start` and `end` (unix seconds) lie and all between, in the merchant's time zone. Without
 * them: the last 30 days. Days to come are left out; more than 366 are refused. A range that ends before it begins, or
 * lies ahead, has no days.
 */
export async function readStatistics(
  deps: Deps,
  input: { merchantId: string; start?: number | undefined; end?: number | undefined; appid?: string | undefined },
): Promise<DaysRead> {
  const now = deps.clock()
  const { zone, kept } = await readZones(deps.pool, input.merchantId)
  const today = dayOf(now, zone)
  const last = input.end !== undefined && input.end < now ? dayOf(input.end, zone) : today
  const first = input.start === undefined ? addDays(last, 1 - daysDefault) : dayOf(input.start, zone)
  if (first > last) return { days: [], figures: [] }
  if (countDays(first, last) > daysMax) throw new Refusal('parameter_error', { field: 'start_time' })
  if (kept !== null && kept !== zone) await moveDays(deps, input.merchantId)
  const starts = dayStarts(first, last, zone)
  return {
    days: starts.slice(0, -1).map((start, index) => ({ date: addDays(first, index), start })),
    figures: await readDays(deps.pool, input.merchantId, starts, input.appid ?? null),
  }
}
