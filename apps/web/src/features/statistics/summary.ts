import type { Data } from '@coffer/contract'

export type Summary = Data<'GET /api/v1/statistics/summary'>

/** The ranges named for statistics, in days, and the one that the page starts with. */
export const statisticsDays = [1, 15, 30] as const
export const statisticsDefault = { days: 15 }

/** What part of the payments asked for was paid, between 0 and 1; null when none was asked for. */
export const paidRatio = ({ create_num, pay_num }: { create_num: number; pay_num: number }): number | null =>
  create_num > 0 ? pay_num / create_num : null

/** True when nothing at all happened in the range. */
export const isQuiet = ({ total }: Summary): boolean =>
  total.create_num === 0 && total.pay_num === 0 && Number(total.income) === 0 && Number(total.refund) === 0

/** The days for the table: the newest first, and of a long range only those on which something happened. */
export function tableDays(days: Summary['days']): Summary['days'] {
  const busy = days.filter(
    day => day.create_num > 0 || day.pay_num > 0 || Number(day.income) !== 0 || Number(day.refund) !== 0,
  )
  return [...(days.length > wholeDays ? busy : days)].reverse()
}

/** Up to here quiet days are listed too, and all at once, so that the table reads like the calendar. */
export const wholeDays = 31

/** The rows of one page; of the last one when the range has become shorter meanwhile. */
export function pageOf<R>(rows: readonly R[], { current, pageSize }: { current: number; pageSize: number }): R[] {
  const last = Math.max(1, Math.ceil(rows.length / pageSize))
  const start = (Math.min(current, last) - 1) * pageSize
  return rows.slice(start, start + pageSize)
}
