import type { Deps } from '../../deps.ts'
import { addDays, countDays, dayOf, dayStarts } from '../../kit/days.ts'
import { Refusal } from '../../kit/refusal.ts'
import { moveDays } from './fold-statistics.ts'
import { type DayFigures, readDays, readZones } from './statistics-read.ts'

/** Maximum number of days of a query. */
export const daysMax = 366
/** Number of days of a query without a range. */
const daysDefault = 30

/** Statistics of a range: its days in order, and the figures by day, application and asset. */
export interface DaysRead {
  days: { date: string; start: number }[]
  figures: DayFigures[]
}

/**
 * Reads the days from `start` to `end` (Unix seconds), both included, in the merchant's time zone. The default is the
 * last 30 days. Future days are omitted; more than 366 days are refused. A range that is reversed or in the future has
 * no days.
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
