import { formatDecimal } from '@coffer/contract/decimal.ts'
import { usdtDecimals } from '@coffer/core'
import type { DaysRead } from '../../commands/read-statistics.ts'
import { addUp, type Figures } from '../../store/statistics-read.ts'

/** Millionths of a USDT as a decimal string. */
export const usdt = (units: bigint) => formatDecimal(units, usdtDecimals)

/** The four figures that charts and tables show. */
export const point = ({ income_usdt, refund_usdt, created_num, paid_num }: Figures) => ({
  income: usdt(income_usdt),
  refund: usdt(refund_usdt),
  create_num: created_num,
  pay_num: paid_num,
})

/** A point for each day, days without payments included. */
export function daily({ days, figures }: DaysRead) {
  const byDay = Map.groupBy(figures, row => row.slot)
  return days.map(({ date, start }) => ({ date, ...point(addUp(byDay.get(start) ?? [])) }))
}
