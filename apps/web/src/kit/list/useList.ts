import { limits } from '@coffer/contract/limits.ts'
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { RegisteredRouter, RouteById, RouteIds } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { queryClient } from '../../api/query.ts'
import { useCell } from '../../lib/useCell.ts'
import { merchantZone } from '../../lib/zone.ts'
import { type FiltersOf, filterText } from './query.ts'
import type { ListPlace } from './search.ts'
import { type ListFilter, type ListSearch, useListFilter } from './useListSearch.ts'

/** Keeps filters and page in component state, for a list in a dialog or one of several on a page. */
export function useLocalSearch<S extends ListPlace>(initial: S): ListSearch<S> {
  const [search, setSearch] = useState(initial)
  return [search, useCallback(part => setSearch(now => ({ ...now, ...part })), [])]
}

export interface Page {
  current: number
  pageSize: number
}

export interface List<Row, F = unknown> {
  filter: ListFilter<F>
  page: Page
  setPage(page: Page): void
  /** Undefined during the first load. */
  rows: readonly Row[] | undefined
  total: number | undefined
  error: Error | null
  retry(): void
  /** The rows are of the previous page while the next one loads. */
  stale: boolean
  /** The id of the row whose details are open, from the drawer's parameter. */
  opened: string | undefined
  open(id: string): void
  close(): void
}

/** The filters of the page at a path; parameter `D` opens the details. */
export type FiltersAt<P extends RouteIds<RegisteredRouter['routeTree']>, D = never> = FiltersOf<
  RouteById<RegisteredRouter['routeTree'], P>['types']['fullSearchSchema'],
  D
>

/** Delay (ms) of prefetching, so that the current rows render first. */
const prefetchAfterMs = 100

/**
 * A list with filters and pages; `ask` returns the query of a page. Previous rows stay while a page loads, and the next
 * page is prefetched. `drawer` names the parameter that opens the details of a row.
 */
export function useList<
  S extends ListPlace,
  A extends { list: readonly unknown[]; total: number },
  D extends keyof S & string = never,
>(
  [search, change]: ListSearch<S>,
  ask: (filters: FiltersOf<S, D>, page: Page) => UseQueryOptions<A>,
  drawer: D | '' = '',
): List<A['list'][number], FiltersOf<S, D>> {
  const { current = 1, pageSize = limits.pageSizes[0] } = search
  const opened = drawer && search[drawer]
  const filter = useListFilter<S, D>(search, change, drawer)
  // Days become times in the merchant's zone. While it is not known, the rows of the browser's are requested, but not shown.
  const ready = useCell(merchantZone) !== undefined || !('from' in filter.values)
  const {
    data: answer,
    error,
    refetch,
    isPlaceholderData: stale,
  } = useQuery({
    ...ask(filter.values, { current, pageSize }),
    placeholderData: keepPreviousData,
  })
  const data = ready ? answer : undefined
  const next =
    data && !stale && data.total > current * pageSize
      ? `${filterText(search, drawer)} ${current} ${pageSize}`
      : undefined
  const fetchNext = useEffectEvent(
    () => void queryClient.prefetchQuery(ask(filter.values, { current: current + 1, pageSize })),
  )
  useEffect(() => {
    if (next === undefined) return
    const timer = setTimeout(() => fetchNext(), prefetchAfterMs)
    return () => clearTimeout(timer)
  }, [next])
  return {
    filter,
    page: { current, pageSize },
    setPage: change,
    rows: data?.list,
    total: data?.total,
    error,
    retry: () => void refetch(),
    stale,
    opened: typeof opened === 'string' ? opened : undefined,
    open: useCallback(id => change({ [drawer]: id }), [change, drawer]),
    close: () => change({ [drawer]: undefined }, true),
  }
}
