import { type UseQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { queryClient } from '../../api/query.ts'
import { useCell } from '../../lib/useCell.ts'
import { merchantZone } from '../../lib/zone.ts'
import type { FiltersOf } from '../list/query.ts'
import type { ListPlace } from '../list/search.ts'
import type { Page } from '../list/useList.ts'
import { type ListFilter, useListFilter } from '../list/useListSearch.ts'

/** A list that grows while it is scrolled. */
export interface Endless<Row> {
  /** Undefined during the first load. */
  rows: Row[] | undefined
  total: number | undefined
  error: Error | null
  retry(): void
  /** Whether there are further rows, and whether they are being loaded. */
  hasMore: boolean
  busy: boolean
  more(): void
}

interface Parts<S, D> {
  filter: ListFilter<FiltersOf<S, D>>
  /** The id of the row whose details are open, from the drawer's parameter. */
  opened: string | undefined
  open(id: string): void
  close(): void
}

/**
 * A list with filters in the URL, loaded page by page on scroll; `ask` returns the query of a page. `drawer` names the
 * parameter that opens the details of a row.
 */
export function useEndless<
  S extends ListPlace,
  A extends { list: readonly unknown[]; total: number },
  D extends keyof S & string = never,
>(
  [search, change]: readonly [search: S, change: (part: object, replace?: boolean) => void],
  ask: (filters: FiltersOf<S, D>, page: Page) => UseQueryOptions<A>,
  { drawer = '', pageSize = 20 }: { drawer?: D | ''; pageSize?: number } = {},
): Endless<A['list'][number]> & Parts<S, D> {
  const filter = useListFilter<S, D>(search, change, drawer)
  const opened = drawer && search[drawer]
  const { history } = useRouter()
  // Days become times in the merchant's zone, which is not known yet on a first visit.
  const enabled = useCell(merchantZone) !== undefined || !('from' in filter.values)
  const first = ask(filter.values, { current: 1, pageSize }).queryKey
  const query = useInfiniteQuery({
    queryKey: [...first, 'endless'],
    enabled,
    // The first page may have come with an early call.
    initialData: () => {
      const page = queryClient.getQueryData<A>(first)
      return page && { pages: [page], pageParams: [1] }
    },
    initialDataUpdatedAt: () => queryClient.getQueryState(first)?.dataUpdatedAt,
    initialPageParam: 1,
    // Asked anew each time, because what the list itself keeps is refreshed as a whole.
    queryFn: ({ pageParam }) =>
      queryClient.fetchQuery({ ...ask(filter.values, { current: pageParam, pageSize }), staleTime: 0 } as never),
    getNextPageParam: (last: A, pages: A[]) =>
      pages.length * pageSize < last.total && last.list.length > 0 ? pages.length + 1 : undefined,
  })
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  return {
    filter,
    rows: data?.pages.flatMap(page => page.list),
    total: data?.pages[0]?.total,
    error,
    retry: () => void refetch(),
    hasMore: hasNextPage,
    busy: isFetchingNextPage,
    more: useCallback(() => void fetchNextPage(), [fetchNextPage]),
    opened: typeof opened === 'string' ? opened : undefined,
    open: useCallback(id => change({ [drawer]: id }), [change, drawer]),
    // The details are an entry of the history, unless the page was opened with them.
    close: () => (history.canGoBack() ? history.back() : change({ [drawer]: undefined }, true)),
  }
}
