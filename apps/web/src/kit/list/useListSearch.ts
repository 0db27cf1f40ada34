import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useCell } from '../../lib/useCell.ts'
import { displayTimeZone } from '../../lib/zone.ts'
import {
  buildClearedFilters,
  buildFilterChange,
  buildListQuery,
  findDrawerParam,
  type PageParams,
  serializeFilters,
} from './query.ts'
import type {
  FiltersOf,
  ListCall,
  ListData,
  ListDeclaration,
  ListRow,
  ListSearchParams,
  SearchRules,
} from './search.ts'

/** Parameters of a list and a function to change some of them; `replace` adds no history entry. */
export type ListSearch<R extends SearchRules = SearchRules> = readonly [
  search: ListSearchParams<R>,
  change: (part: object, replace?: boolean) => void,
]

/** Filters and page in the URL. */
function useUrl<R extends SearchRules>(): ListSearch<R> {
  const navigate = useNavigate()
  const search: unknown = useSearch({ strict: false })
  const change = useCallback(
    (part: object, replace = false) =>
      void navigate({
        to: '.',
        search: now => ({ ...now, ...part }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  return [search as ListSearchParams<R>, change]
}

/** Filters and page in component state, for a list in a dialog or one of several on a page. */
export function useLocalSearch<R extends SearchRules>(): ListSearch<R> {
  const [search, setSearch] = useState<ListSearchParams<R>>({})
  return [search, useCallback(part => setSearch(now => ({ ...now, ...part })), [])]
}

/** The filters of a list; the same object until one of them changes. */
export interface ListFilter<F = object> {
  values: F
  /** Whether any filter is set. */
  active: boolean
  /** Sets filters, clears those given as undefined, and returns to page 1. */
  set(change: Partial<F>): void
  clear(): void
}

/** What a list page draws. */
export interface ListState<K extends ListCall = ListCall, R extends SearchRules = SearchRules> {
  of: ListDeclaration<K, R>
  filter: ListFilter<FiltersOf<R>>
  page: PageParams
  setPage(page: PageParams): void
  /** Undefined during the first load. */
  rows: readonly ListRow<K>[] | undefined
  total: number | undefined
  /** More rows match than are listed. */
  truncated: boolean
  error: Error | null
  retry(): void
  /** The rows are of the previous page while the next one loads. */
  stale: boolean
  /** The id of the row whose details are open. */
  opened: string | undefined
  open(id: string): void
  close(): void
}

/** Whether the answer of a list says that more rows match than it has. */
export const isListTruncated = (answer: object | undefined): boolean =>
  answer !== undefined && 'truncated' in answer && answer.truncated === true

/** The state of a list in the URL, or at another place, and the query of a page. */
export function useListSearch<K extends ListCall, R extends SearchRules>(
  of: ListDeclaration<K, R>,
  place?: ListSearch<R>,
) {
  const url = useUrl<R>()
  const [search, change] = place ?? url
  const text = serializeFilters(of.rules, search)
  const drawer = findDrawerParam(of.rules)
  const filter: ListFilter<FiltersOf<R>> = useMemo(() => {
    const values = JSON.parse(text)
    const set = (next: object) => change(buildFilterChange(of.rules, next))
    return { values, active: text !== '{}', set, clear: () => set(buildClearedFilters(values)) }
  }, [text, change, of])
  const opened = drawer && (search as Record<string, unknown>)[drawer]
  return {
    search,
    change,
    filter,
    text,
    drawer,
    opened: typeof opened === 'string' ? opened : undefined,
    open: useCallback((id: string) => drawer && change({ [drawer]: id }), [change, drawer]),
    // Days become times in the shown zone. While it is not known, those of the browser's are requested, but not shown.
    ready: useCell(displayTimeZone) !== undefined || !('from' in filter.values),
    /** The query of a page; its answer is `ListData<K>`. */
    ask: (page: PageParams): { queryKey: [K, object]; queryFn?: () => Promise<ListData<K>> } => ({
      queryKey: [of.call, { query: buildListQuery(of as unknown as ListDeclaration, filter.values, page) }],
    }),
  }
}
