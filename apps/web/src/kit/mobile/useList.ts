import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import {
  type ListCall,
  type ListData,
  type ListDeclaration,
  phonePageSizeOf,
  type SearchRules,
} from '../list/search.ts'
import { isListTruncated, type ListSearch, type ListState, useListSearch } from '../list/useListSearch.ts'

/** A list that grows while it is scrolled. */
export interface EndlessList<K extends ListCall, R extends SearchRules> extends ListState<K, R> {
  /** Whether there are further rows, and whether they are being loaded. */
  hasMore: boolean
  busy: boolean
  more(): void
}

/** `useList` of phones: pages are loaded on scroll. */
export function useList<K extends ListCall, R extends SearchRules>(
  of: ListDeclaration<K, R>,
  place?: ListSearch<R>,
): EndlessList<K, R> {
  const { change, filter, drawer, opened, open, ready, ask } = useListSearch(of, place)
  const client = useQueryClient()
  const { history } = useRouter()
  const pageSize = phonePageSizeOf(of)
  const first = ask({ current: 1, pageSize }).queryKey
  const query = useInfiniteQuery({
    queryKey: [...first, 'endless'],
    enabled: ready,
    // The first page may have come with an early call.
    initialData: () => {
      const page = client.getQueryData<ListData<K>>(first)
      return page && { pages: [page], pageParams: [1] }
    },
    initialDataUpdatedAt: () => client.getQueryState(first)?.dataUpdatedAt,
    initialPageParam: 1,
    // Requested anew each time, because what the list itself keeps is refreshed as a whole.
    queryFn: ({ pageParam }) =>
      client.fetchQuery<ListData<K>>({ ...ask({ current: pageParam, pageSize }), staleTime: 0 }),
    getNextPageParam: (last: ListData<K>, pages: ListData<K>[]) =>
      pages.length * pageSize < last.total && last.list.length > 0 ? pages.length + 1 : undefined,
  })
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  return {
    of,
    filter,
    page: { current: 1, pageSize },
    setPage: () => {},
    stale: false,
    rows: data?.pages.flatMap(page => page.list),
    total: data?.pages[0]?.total,
    truncated: isListTruncated(data?.pages[0]),
    error,
    retry: () => void refetch(),
    hasMore: hasNextPage,
    busy: isFetchingNextPage,
    more: useCallback(() => void fetchNextPage(), [fetchNextPage]),
    opened,
    open,
    // The details are an entry of the history, unless the page was opened with them.
    close: () => (history.canGoBack() ? history.back() : drawer && change({ [drawer]: undefined }, true)),
  }
}
