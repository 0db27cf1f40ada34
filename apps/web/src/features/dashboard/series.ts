import type { RouteData } from '@coffer/contract'
import { formatDecimal, parseDecimal, sumDecimals } from '@coffer/contract/kit/decimal.ts'
import { computePaidRatio } from '../../lib/computePaidRatio.ts'
import { addDays, type Day, type DayRange } from '../../lib/days.ts'
import { countDays } from '../../lib/span.ts'

export type DailyPoint = RouteData<'GET /api/v1/statistics/daily-collection'>['list'][number]

/** Preset ranges of the payments chart in days, and the default. */
export const chartRangeDays = [7, 30] as const
export const defaultChartRange = { days: 30 }

/** Totals of the range; money is added exactly. */
export const sumDailyPoints = (points: readonly DailyPoint[]) => ({
  created: points.reduce((sum, point) => sum + point.create_num, 0),
  paid: points.reduce((sum, point) => sum + point.pay_num, 0),
  income: sumDecimals(points.map(point => point.income)),
})

type Totals = ReturnType<typeof sumDailyPoints>

/** Whether the range has no activity, so that the chart would be flat. */
export const hasNoPaymentActivity = (points: readonly DailyPoint[]): boolean => {
  const { created, paid, income } = sumDailyPoints(points)
  return created === 0 && paid === 0 && Number(income) === 0
}

/** The success rate of the range; null where there is none. */
export const computeSuccessRate = ({ created, paid }: Totals): number | null =>
  computePaidRatio({ create_num: created, pay_num: paid })

/** As many as sums have: no digit of an income is refused. */
const digits = 30

/** Income per paid payment in USDT; null without any. */
export const computeAverageIncome = ({ paid, income }: Totals): string | null =>
  paid === 0 ? null : formatDecimal((parseDecimal(income, digits) ?? 0n) / BigInt(paid), digits)

/** Change relative to what was before; null when nothing was. */
export const computeRelativeChange = (now: number, before: number): number | null =>
  before > 0 ? (now - before) / before : null

/** The number of the last days, together with the days they are compared with: as many before, without today. */
export const countComparedDays = (days: number): number => 2 * days - 1

/** Splits a list of `countComparedDays(days)` days that ends today. */
export const splitComparedDays = (list: readonly DailyPoint[], days: number) => ({
  points: list.slice(-days),
  before: list.slice(-countComparedDays(days), -days),
})

/** The days of a range that are over, and as many before it; null for a range that holds today alone. */
export function resolveComparedRanges(range: DayRange, today: Day): { now: DayRange; before: DayRange } | null {
  const now = { from: range.from, to: range.to >= today ? addDays(today, -1) : range.to }
  const days = countDays(now)
  return days < 1 ? null : { now, before: { from: addDays(now.from, -days), to: addDays(now.from, -1) } }
}
