import type { UseQueryOptions } from '@tanstack/react-query'
import type { FiltersOf } from '../list/query.ts'
import type { ListPlace } from '../list/search.ts'
import type { List, Page } from '../list/useList.ts'
import type { ListSearch } from '../list/useListSearch.ts'
import { useEndless } from './useEndless.ts'

export { useLocalSearch } from '../list/useList.ts'

const pageSize = 20

/** `useList` of phones: a list that grows while it is scrolled. */
export function useList<
  S extends ListPlace,
  A extends { list: readonly unknown[]; total: number },
  D extends keyof S & string = never,
>(
  search: ListSearch<S>,
  ask: (filters: FiltersOf<S, D>, page: Page) => UseQueryOptions<A>,
  drawer: D | '' = '',
): List<A['list'][number], FiltersOf<S, D>> {
  const list = useEndless(search, ask, { drawer, pageSize })
  return { ...list, page: { current: 1, pageSize }, setPage: () => {}, stale: false }
}
