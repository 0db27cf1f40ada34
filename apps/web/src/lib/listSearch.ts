import { limits } from '@coffer/contract/limits.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'

const firstPageSize = limits.pageSizes[0]

export interface ListSearch<F extends string> {
  filters: Record<F, string>
  filtered: boolean
  current: number
  pageSize: number
  /** Changes filters and goes to page 1. An empty value takes a filter away. */
  setFilters(change: Partial<Record<F, string>>): void
  clearFilters(): void
  setPage(next: { current: number; pageSize: number }): void
}

/** Filters and page of a list, kept in the address, so that a reload, a link and the back button show the same rows. */
export function useListSearch<F extends string>(names: readonly F[]): ListSearch<F> {
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const navigate = useNavigate()
  const filters = Object.fromEntries(names.map(name => [name, search[name] ?? ''])) as Record<F, string>
  const pageSize = limits.pageSizes.find(size => String(size) === search.pageSize) ?? firstPageSize
  const go = (next: Record<string, unknown>) => void navigate({ to: '.', search: next as never, resetScroll: false })
  return {
    filters,
    filtered: Object.values(filters).some(value => value !== ''),
    current: readPage(search.current),
    pageSize,
    setFilters: change => go({ ...search, ...change, current: undefined }),
    clearFilters: () => go({ ...search, ...Object.fromEntries(names.map(name => [name, ''])), current: undefined }),
    setPage: next =>
      go({
        ...search,
        current: next.current === 1 ? undefined : next.current,
        pageSize: next.pageSize === firstPageSize ? undefined : next.pageSize,
      }),
  }
}

/** A page number as typed into the address: anything odd is page 1. */
export function readPage(text: string | undefined): number {
  const page = Number(text)
  return Number.isInteger(page) && page >= 1 && page <= 10_000_000 ? page : 1
}
