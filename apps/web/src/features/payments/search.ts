import type { Query } from '@coffer/contract'
import { paymentStatus } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/limits.ts'
import { isOutTradeNo, isTradeNo } from '@coffer/contract/validators.ts'
import { type Day, type DayRange, isDay, timesOf } from '../../lib/days.ts'

/** The states that the list can be filtered by. */
export const filterStates = ['open', 'paid', 'timed_out'] as const

/** What the address of the records page says. Every part may be missing. */
export interface RecordSearch {
  status?: number
  appid?: string
  out_trade_no?: string
  /** The filter by platform order number. */
  platform_no?: string
  from?: Day
  to?: Day
  current?: number
  pageSize?: number
  /** The payment whose details are open. */
  trade_no?: string
}

/** The part of it that decides which payments are listed and exported. */
export type RecordFilter = Pick<RecordSearch, 'status' | 'appid' | 'out_trade_no' | 'platform_no' | 'from' | 'to'>

const firstPageSize = limits.pageSizes[0]

/** Reads an address typed or kept by a person: what is not valid, or says what holds anyway, is left out. */
export function readRecordSearch(raw: Record<string, unknown>): RecordSearch {
  const search: RecordSearch = {}
  const status = Number(raw.status)
  if (filterStates.some(state => paymentStatus[state] === status)) search.status = status
  const appid = text(raw.appid)
  if (/^[\w-]{1,64}$/.test(appid)) search.appid = appid
  if (isOutTradeNo(text(raw.out_trade_no))) search.out_trade_no = text(raw.out_trade_no)
  if (isTradeNo(text(raw.platform_no))) search.platform_no = text(raw.platform_no)
  if (isDay(raw.from) && isDay(raw.to) && raw.from <= raw.to) Object.assign(search, { from: raw.from, to: raw.to })
  const current = Number(raw.current)
  if (Number.isInteger(current) && current > 1 && current <= pagesMax) search.current = current
  const pageSize = Number(raw.pageSize)
  if (pageSize !== firstPageSize && limits.pageSizes.some(each => each === pageSize)) search.pageSize = pageSize
  if (isTradeNo(text(raw.trade_no))) search.trade_no = text(raw.trade_no)
  return search
}

const pagesMax = 10_000_000

/** Long digits must have stayed text: a number of 32 digits has already lost some. */
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The query of the list and, without the page, of the export. Days are the reader's, as the times in the table are. */
export function filterQuery(filter: RecordFilter): Omit<Query<'GET /api/v1/transactions/list/export'>, 'current'> {
  const { status, appid, out_trade_no, platform_no, from, to } = filter
  return {
    ...(status !== undefined && { status }),
    ...(appid !== undefined && { appid }),
    ...(out_trade_no !== undefined && { out_trade_no }),
    ...(platform_no !== undefined && { trade_no: platform_no }),
    ...(from !== undefined && to !== undefined && timesOf({ from, to })),
  }
}

export const pageOf = (search: RecordSearch): { current: number; pageSize: number } => ({
  current: search.current ?? 1,
  pageSize: search.pageSize ?? firstPageSize,
})

export const listQuery = (search: RecordSearch): Query<'GET /api/v1/transactions/list'> => ({
  ...pageOf(search),
  ...filterQuery(search),
})

/** The address with a part of the filter changed (undefined takes it away): back on page 1, with no details open. */
export function changeFilter(
  search: RecordSearch,
  change: { [key in keyof RecordFilter]: RecordFilter[key] | undefined },
) {
  const { current: _page, trade_no: _open, ...rest } = search
  return readRecordSearch({ ...rest, ...change })
}

/** The filter alone, without page and open details. */
export const filterOf = ({ status, appid, out_trade_no, platform_no, from, to }: RecordSearch): RecordFilter =>
  readRecordSearch({ status, appid, out_trade_no, platform_no, from, to })

/** The address without any filter, with as many rows a page as before. */
export const clearFilter = ({ pageSize }: RecordSearch): RecordSearch => (pageSize === undefined ? {} : { pageSize })

export const hasFilter = (search: RecordFilter): boolean => Object.keys(filterQuery(search)).length > 0

export const rangeOfFilter = ({ from, to }: RecordFilter): DayRange | undefined =>
  from !== undefined && to !== undefined ? { from, to } : undefined
