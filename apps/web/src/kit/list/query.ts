import { timesOf } from '../../lib/days.ts'
import type { ListPlace } from './search.ts'

/** The filters among what an address says: neither the page nor the open details (`drawer`). */
export type FiltersOf<S, D> = Omit<S, keyof ListPlace | (D & string)>

/** The filters that are set, as JSON. */
export const filterText = (search: object, drawer: string): string =>
  JSON.stringify({ ...search, current: undefined, pageSize: undefined, [drawer]: undefined })

/** What a change of filters changes in an address: it goes back to page 1 and closes the details. */
export const filterChange = (change: object, drawer: string) => ({ ...change, current: undefined, [drawer]: undefined })

/** The change that takes all of these filters away. */
export const noFilters = (values: object) => Object.fromEntries(Object.keys(values).map(name => [name, undefined]))

/** A query as most list calls take it: the filters by their names, a range of days as times, and the page if any. */
export const listQuery = <F extends object, P extends object>(
  { from, to, ...filters }: F & { from?: string | undefined; to?: string | undefined },
  page?: P,
) => ({ ...page, ...filters, ...(from !== undefined && to !== undefined && timesOf({ from, to })) })
