import { listQuery } from '../../kit/list/query.ts'
import type { FiltersAt, Page } from '../../kit/list/useList.ts'

export type RecordFilters = FiltersAt<'/record', 'trade_no'>

/** The query of the list and, without a page, of the export. In the URL `trade_no` opens the details instead. */
export const recordQuery = ({ platform_no, ...filters }: RecordFilters, page?: Page) =>
  listQuery({ ...filters, ...(platform_no !== undefined && { trade_no: platform_no }) }, page)

/** What the payer owes: in the chosen token, before the choice in USDT. */
export const owed = ({ token, amount, usdt_amount }: { token: string; amount: string; usdt_amount: string }) =>
  token === '' ? { value: usdt_amount, unit: 'USDT' } : { value: amount, unit: token }
