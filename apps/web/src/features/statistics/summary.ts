import type { RouteData } from '@coffer/contract'

export type StatisticsSummary = RouteData<'GET /api/v1/statistics/summary'>

/** Preset ranges in days, and the default. */
export const statisticsRangeDays = [1, 15, 30] as const
export const defaultStatisticsRange = { days: 15 }

/** Whether the range has no activity. */
export const isSummaryEmpty = ({ total }: StatisticsSummary): boolean =>
  total.create_num === 0 && total.pay_num === 0 && Number(total.income) === 0 && Number(total.refund) === 0

/** The rows of the table, newest first. Long ranges omit days without activity. */
export function selectTableDays(days: StatisticsSummary['days']): StatisticsSummary['days'] {
  const busy = days.filter(
    day => day.create_num > 0 || day.pay_num > 0 || Number(day.income) !== 0 || Number(day.refund) !== 0,
  )
  return [...(days.length > maxSinglePageDays ? busy : days)].reverse()
}

/** Ranges up to this many days list every day on one page. */
export const maxSinglePageDays = 31

/** The rows of a page; the last page if the list has become shorter. */
export function selectPageRows<R>(
  rows: readonly R[],
  { current, pageSize }: { current: number; pageSize: number },
): R[] {
  const last = Math.max(1, Math.ceil(rows.length / pageSize))
  const start = (Math.min(current, last) - 1) * pageSize
  return rows.slice(start, start + pageSize)
}
