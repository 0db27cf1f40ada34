import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../api/query.ts'
import { useMayOpen } from '../lib/refused.ts'
import { type Route, routes } from '../routes.ts'

export type MenuRoute = Route & { menu: NonNullable<Route['menu']> }
const entries = routes.filter((route): route is MenuRoute => route.menu !== undefined)
const groups = [...new Set(entries.map(entry => entry.menu.group))]

/**
 * Whether a page is listed: one that the role includes. One that counts what waits for members is not, for who works
 * alone.
 */
export function useIsListed(): (route: Route) => boolean {
  const member = useQuery(apiQuery('GET /api/v1/user/info', {})).data?.member
  const may = useMayOpen()
  return ({ path, menu }) => may(path) && (menu?.counts === undefined || member !== undefined)
}

/** The pages of the menu by group, and how much waits at each that counts it. */
export function useMenu(): {
  groups: { group: MenuRoute['menu']['group']; entries: MenuRoute[] }[]
  waitingAt: (entry: MenuRoute) => number
} {
  const listed = entries.filter(useIsListed())
  const isCounting = listed.some(({ menu }) => menu.counts !== undefined)
  const { data } = useQuery({ ...apiQuery('GET /api/v1/approval/count', {}), enabled: isCounting })
  return {
    groups: groups
      .map(group => ({ group, entries: listed.filter(({ menu }) => menu.group === group) }))
      .filter(({ entries }) => entries.length > 0),
    waitingAt: ({ menu }) => (menu.counts && data?.count) ?? 0,
  }
}
