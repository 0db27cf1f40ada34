import { timesOf } from '../../lib/days.ts'
import { browserZone, shownZone } from '../../lib/zone.ts'
import type { ListAt, Rules } from './search.ts'

const isFilter = (rules: Rules, name: string) => Object.hasOwn(rules, name) && rules[name]?.param !== null

/** The active filters as JSON, without page, open details and other parameters of the page. */
export const filterText = (rules: Rules, search: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(search).filter(([name]) => isFilter(rules, name))))

/** The name of the parameter that opens the details of a row, if any. */
export const drawerOf = (rules: Rules): string | undefined => Object.keys(rules).find(name => rules[name]?.isDrawer)

/** The search parameters changed by a filter: also returns to page 1 and closes the details. */
export const filterChange = (rules: Rules, change: object) => {
  const drawer = drawerOf(rules)
  return { ...change, current: undefined, ...(drawer && { [drawer]: undefined }) }
}

/** The change that clears these filters. */
export const clearedFilters = (values: object) => Object.fromEntries(Object.keys(values).map(name => [name, undefined]))

export interface Page {
  current: number
  pageSize: number
}

/**
 * The key of a list's query without its page. Rows may stand in for those of another page, never for those of other
 * filters.
 */
export const filtersOf = ({ options }: Pick<ListAt, 'options'>, key: readonly unknown[] | undefined): string =>
  JSON.stringify(key, (name, value) =>
    name === 'pageSize' || name === (options.page ?? 'current') ? undefined : value,
  ) ?? ''

/** The query of a list call: filters by their names there, days as times in the shown zone, and the page if any. */
export function queryOf({ rules, options }: Pick<ListAt, 'rules' | 'options'>, values: object, page?: Page) {
  const { from, to, ...filters } = values as Record<string, string | undefined>
  return {
    ...(page && { [options.page ?? 'current']: page.current, pageSize: page.pageSize }),
    ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [rules[name]?.param ?? name, value])),
    ...(from !== undefined && to !== undefined && timesOf({ from, to }, shownZone.get() ?? browserZone())),
  }
}
