import type { Data } from '@coffer/contract'
import { sumDecimals } from '../../ui/charts/shares.ts'

export type DailyPoint = Data<'GET /api/v1/statistics/daily-collection'>['list'][number]

/** The ranges of the payments chart in days, and the one that it starts with. */
export const chartDays = [7, 30] as const
export const chartDefault = { days: 30 }

/** What is written above the chart: the sums of the range. Money is added exactly. */
export const totalsOf = (points: readonly DailyPoint[]) => ({
  created: points.reduce((sum, point) => sum + point.create_num, 0),
  paid: points.reduce((sum, point) => sum + point.pay_num, 0),
  income: sumDecimals(points.map(point => point.income)),
})

/** True when nothing at all happened, so that two flat lines need not be read. */
export const isQuiet = (points: readonly DailyPoint[]): boolean => {
  const { created, paid, income } = totalsOf(points)
  return created === 0 && paid === 0 && Number(income) === 0
}
