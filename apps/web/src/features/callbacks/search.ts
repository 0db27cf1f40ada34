import type { Query } from '@coffer/contract'
import { callbackEvents } from '@coffer/contract/codes.ts'
import { isTradeNo } from '@coffer/contract/validators.ts'
import { type DayRange, isDay, timesOf } from '../../lib/days.ts'

export const filterNames = ['status', 'event', 'appid', 'trade_no', 'from', 'to'] as const
export type FilterName = (typeof filterNames)[number]
type Filters = Record<FilterName, string>

/** The days of the filter, when both are days in order. */
export const rangeOf = ({ from, to }: Pick<Filters, 'from' | 'to'>): DayRange | undefined =>
  isDay(from) && isDay(to) && from <= to ? { from, to } : undefined

/** The query of the list. What the address says and no callback can have is left out. */
export function listQuery(
  filters: Filters,
  page: { current: number; pageSize: number },
): Query<'GET /api/v1/callback/list'> {
  const event = callbackEvents.find(each => each === filters.event)
  const range = rangeOf(filters)
  return {
    ...page,
    ...(/^[1-4]$/.test(filters.status) && { status: filters.status }),
    ...(event && { event }),
    ...(/^[\w-]{1,64}$/.test(filters.appid) && { appid: filters.appid }),
    ...(isTradeNo(filters.trade_no) && { trade_no: filters.trade_no }),
    ...(range && timesOf(range)),
  }
}
