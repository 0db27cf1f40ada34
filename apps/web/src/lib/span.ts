import { addDays, type Day, type DayRange, daySeconds, isDay, toUtcDayStart } from './days.ts'

/** The longest range of one query, in days: no day of the year appears twice. */
export const maxRangeDays = 365

/** The number of days in a range, both ends included. */
export const countDays = ({ from, to }: DayRange): number => (toUtcDayStart(to) - toUtcDayStart(from)) / daySeconds + 1

/** The last `count` days, today included. */
export const lastDays = (count: number, today: Day): DayRange => ({ from: addDays(today, 1 - count), to: today })

/** A chosen range: a preset of the last days, or fixed days. */
export type DateSpan = { days: number } | DayRange

/**
 * Reads a span from search parameters: `days` if it is a preset, or `from` and `to`, limited to today and one year.
 * Returns undefined for anything else.
 */
export function parseDateSpan(
  raw: Record<string, unknown>,
  presets: readonly number[],
  today: Day,
): DateSpan | undefined {
  const days = Number(raw.days)
  if (presets.includes(days)) return { days }
  const { from, to } = raw
  if (!isDay(from) || !isDay(to) || from > to || from > today) return undefined
  const end = to > today ? today : to
  const range = { from, to: end }
  return countDays(range) > maxRangeDays ? lastDays(maxRangeDays, end) : range
}

/** Resolves a span to days. */
export const toDayRange = (span: DateSpan, today: Day): DayRange => ('days' in span ? lastDays(span.days, today) : span)
