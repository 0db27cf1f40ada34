import { timesOf } from '../../lib/days.ts'
import { browserZone, merchantZone } from '../../lib/zone.ts'
import type { ListPlace } from './search.ts'

/** The filters among the search parameters, without page and open details (`drawer`). */
export type FiltersOf<S, D> = Omit<S, keyof ListPlace | (D & string)>

/** The active filters as JSON. */
export const filterText = (search: object, drawer: string): string =>
  JSON.stringify({ ...search, current: undefined, pageSize: undefined, [drawer]: undefined })

/** The search parameters changed by a filter: also returns to page 1 and closes the details. */
export const filterChange = (change: object, drawer: string) => ({ ...change, current: undefined, [drawer]: undefined })

/** The change that clears these filters. */
export const noFilters = (values: object) => Object.fromEntries(Object.keys(values).map(name => [name, undefined]))

/** The query of a list call: filters by name, days as times in the merchant's zone, and the page if any. */
export const listQuery = <F extends object, P extends object>(
  { from, to, ...filters }: F & { from?: string | undefined; to?: string | undefined },
  page?: P,
) => ({
  ...page,
  ...filters,
  ...(from !== undefined && to !== undefined && timesOf({ from, to }, merchantZone.get() ?? browserZone())),
})
