import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type FiltersOf, filterChange, filterText, noFilters } from './query.ts'
import type { ListPlace } from './search.ts'

/** Parameters of a list and a function to change some of them; `replace` adds no history entry. */
export type ListSearch<S> = readonly [search: S, change: (part: object, replace?: boolean) => void]

/** Keeps filters and page in the URL: `useListSearch(useSearch({ from: '/record' }))`. */
export function useListSearch<S extends ListPlace>(search: S): ListSearch<S> {
  const navigate = useNavigate()
  const change = useCallback(
    (part: object, replace = false) =>
      void navigate({ to: '.', search: now => ({ ...now, ...part }), replace, resetScroll: false }),
    [navigate],
  )
  return [search, change]
}

/** The filters of a list; the same object until one of them changes. */
export interface ListFilter<F> {
  values: F
  /** Whether any filter is set. */
  active: boolean
  /** Sets filters, clears those given as undefined, and returns to page 1. */
  set(change: Partial<F>): void
  clear(): void
}

/** The filters among search parameters. */
export function useListFilter<S extends ListPlace, D>(
  search: S,
  change: (part: object) => void,
  drawer: string,
): ListFilter<FiltersOf<S, D>> {
  const text = filterText(search, drawer)
  return useMemo(() => {
    const values = JSON.parse(text)
    const set = (next: object) => change(filterChange(next, drawer))
    return { values, active: text !== '{}', set, clear: () => set(noFilters(values)) }
  }, [text, change, drawer])
}
