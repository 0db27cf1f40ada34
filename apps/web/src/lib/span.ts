import { addDays, type Day, type DayRange, dayInUtc, daySeconds, isDay } from './days.ts'

/** The longest range of one query, in days: no day of the year appears twice. */
export const longestRange = 365

/** The number of days in a range, both ends included. */
export const countDays = ({ from, to }: DayRange): number => (dayInUtc(to) - dayInUtc(from)) / daySeconds + 1

/** The last `count` days, today included. */
export const lastDays = (count: number, today: Day): DayRange => ({ from: addDays(today, 1 - count), to: today })

/** A chosen range: a preset of the last days, or fixed days. */
export type Span = { days: number } | DayRange

/**
 * Reads a span from search parameters: `days` if it is a preset, or `from` and `to`, limited to today and one year.
 * Returns undefined for anything else.
 */
export function readSpan(raw: Record<string, unknown>, presets: readonly number[], today: Day): Span | undefined {
  const days = Number(raw.days)
  if (presets.includes(days)) return { days }
  const { from, to } = raw
  if (!isDay(from) || !isDay(to) || from > to || from > today) return undefined
  const end = to > today ? today : to
  const range = { from, to: end }
  return countDays(range) > longestRange ? lastDays(longestRange, end) : range
}

/** Resolves a span to days. */
export const rangeOf = (span: Span, today: Day): DayRange => ('days' in span ? lastDays(span.days, today) : span)
