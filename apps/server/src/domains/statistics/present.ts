import { usdt } from '../../kit/amounts.ts'
import type { DaysRead } from './read-statistics.ts'
import { addUp, type Figures } from './statistics-read.ts'

/** The four figures that charts and tables show. */
export const point = ({ income_usdt, refund_usdt, created_num, paid_num }: Figures) => ({
  income: usdt(income_usdt),
  refund: usdt(refund_usdt),
  create_num: created_num,
  pay_num: paid_num,
})

/** Returns a point for each day, including days without payments. */
export function daily({ days, figures }: DaysRead) {
  const byDay = Map.groupBy(figures, row => row.slot)
  return days.map(({ date, start }) => ({ date, ...point(addUp(byDay.get(start) ?? [])) }))
}
