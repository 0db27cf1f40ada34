import { limits } from '@coffer/contract/kit/limits.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { serializeQueryKey } from './query.ts'
import type { ListCall, ListData, ListDeclaration, SearchRules } from './search.ts'
import { isListTruncated, type ListSearch, type ListState, useListSearch } from './useListSearch.ts'

/** Delay (ms) of prefetching, so that the current rows render first. */
const prefetchAfterMs = 100

/**
 * A list with filters and pages. Rows stay while another page of the same filters loads, and the next page is
 * prefetched.
 */
export function useList<K extends ListCall, R extends SearchRules>(
  of: ListDeclaration<K, R>,
  place?: ListSearch<R>,
): ListState<K, R> {
  const client = useQueryClient()
  const { search, change, filter, text, drawer, opened, open, ready, ask } = useListSearch(of, place)
  const { current = 1, pageSize = limits.pageSizes[0] } = search
  const shown = ask({ current, pageSize })
  const {
    data: answer,
    error,
    refetch,
    isPlaceholderData: stale,
  } = useQuery<ListData<K>>({
    ...shown,
    placeholderData: (rows, before) =>
      serializeQueryKey(of, before?.queryKey) === serializeQueryKey(of, shown.queryKey) ? rows : undefined,
  })
  const data = ready ? answer : undefined
  const next = data && !stale && data.total > current * pageSize ? `${text} ${current} ${pageSize}` : undefined
  const fetchNext = useEffectEvent(() => void client.prefetchQuery(ask({ current: current + 1, pageSize })))
  useEffect(() => {
    if (next === undefined) return
    const timer = setTimeout(() => fetchNext(), prefetchAfterMs)
    return () => clearTimeout(timer)
  }, [next])
  return {
    of,
    filter,
    page: { current, pageSize },
    setPage: change,
    rows: data?.list,
    total: data?.total,
    truncated: isListTruncated(data),
    error,
    retry: () => void refetch(),
    stale,
    opened,
    open,
    close: () => drawer && change({ [drawer]: undefined }, true),
  }
}
