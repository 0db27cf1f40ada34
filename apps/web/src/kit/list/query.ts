import { toQueryTimes } from '../../lib/days.ts'
import { browserZone, displayTimeZone } from '../../lib/zone.ts'
import type { ListDeclaration, SearchRules } from './search.ts'

const isFilter = (rules: SearchRules, name: string) => Object.hasOwn(rules, name) && rules[name]?.param !== null

/** The active filters as JSON, without page, open details and other parameters of the page. */
export const serializeFilters = (rules: SearchRules, search: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(search).filter(([name]) => isFilter(rules, name))))

/** The name of the parameter that opens the details of a row, if any. */
export const findDrawerParam = (rules: SearchRules): string | undefined =>
  Object.keys(rules).find(name => rules[name]?.isDrawer)

/** The search parameters changed by a filter: also returns to page 1 and closes the details. */
export const buildFilterChange = (rules: SearchRules, change: object) => {
  const drawer = findDrawerParam(rules)
  return { ...change, current: undefined, ...(drawer && { [drawer]: undefined }) }
}

/** The change that clears these filters. */
export const buildClearedFilters = (values: object) =>
  Object.fromEntries(Object.keys(values).map(name => [name, undefined]))

export interface PageParams {
  current: number
  pageSize: number
}

/**
 * The key of a list's query without its page. Rows may stand in for those of another page, never for those of other
 * filters.
 */
export const serializeQueryKey = (
  { options }: Pick<ListDeclaration, 'options'>,
  key: readonly unknown[] | undefined,
): string =>
  JSON.stringify(key, (name, value) =>
    name === 'pageSize' || name === (options.page ?? 'current') ? undefined : value,
  ) ?? ''

/** The query of a list call: filters by their names there, days as times in the shown zone, and the page if any. */
export function buildListQuery(
  { rules, options }: Pick<ListDeclaration, 'rules' | 'options'>,
  values: object,
  page?: PageParams,
) {
  const { from, to, ...filters } = values as Record<string, string | undefined>
  return {
    ...(page && { [options.page ?? 'current']: page.current, pageSize: page.pageSize }),
    ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [rules[name]?.param ?? name, value])),
    ...(from !== undefined && to !== undefined && toQueryTimes({ from, to }, displayTimeZone.get() ?? browserZone())),
  }
}
