import type { Data } from '@coffer/contract'
import { sumDecimals } from '../../ui/charts/shares.ts'

export type DailyPoint = Data<'GET /api/v1/statistics/daily-collection'>['list'][number]

/** Preset ranges of the payments chart in days, and the default. */
export const chartDays = [7, 30] as const
export const chartDefault = { days: 30 }

/** Totals of the range; money is added exactly. */
export const totalsOf = (points: readonly DailyPoint[]) => ({
  created: points.reduce((sum, point) => sum + point.create_num, 0),
  paid: points.reduce((sum, point) => sum + point.pay_num, 0),
  income: sumDecimals(points.map(point => point.income)),
})

/** Whether the range has no activity, so that the chart would be flat. */
export const isQuiet = (points: readonly DailyPoint[]): boolean => {
  const { created, paid, income } = totalsOf(points)
  return created === 0 && paid === 0 && Number(income) === 0
}
