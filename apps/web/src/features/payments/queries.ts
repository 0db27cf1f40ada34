import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePrefetch } from '../../api/prefetch.ts'
import { apiQuery } from '../../api/query.ts'
import { filterQuery, listQuery, pageOf, type RecordSearch } from './search.ts'

/** The rows of the page; the next page is fetched beforehand, so that turning it shows it at once. */
export function useRecords(search: RecordSearch) {
  const records = useQuery({
    ...apiQuery('GET /api/v1/transactions/list', { query: listQuery(search) }),
    placeholderData: keepPreviousData,
  })
  const { current, pageSize } = pageOf(search)
  const more = records.data !== undefined && !records.isPlaceholderData && records.data.total > current * pageSize
  const next = more ? { query: listQuery({ ...search, current: current + 1 }) } : undefined
  usePrefetch('GET /api/v1/transactions/list', next)
  return records
}

/**
 * How many payments have come since this page of the list was opened. Page 1 shows them by itself and counts none;
 * later pages say so, because there new rows only push the others on.
 */
export function useFresh(search: RecordSearch, total: number | undefined): number {
  const place = JSON.stringify([pageOf(search), filterQuery(search)])
  const [seen, setSeen] = useState<{ place: string; total: number }>()
  if (total !== undefined && seen?.place !== place) setSeen({ place, total })
  if (pageOf(search).current === 1 || total === undefined || seen?.place !== place) return 0
  return Math.max(0, total - seen.total)
}

/** Applications that have records, deleted ones included. */
export const applicationList = apiQuery('GET /api/v1/user/application-list', {})

/** How often (ms) the details are read while a deposit waits: each block adds a confirmation, and only the last is told. */
const waitingMs = 3_000

/** One payment with its details. */
export const usePayment = (trade_no: string) =>
  useQuery({
    ...apiQuery('GET /api/v1/transactions/detail', { query: { trade_no } }),
    refetchInterval: query => {
      const deposits = query.state.data?.chain_confirmation_information
      return deposits?.some(({ state }) => state === 'seen') ? waitingMs : false
    },
  })
