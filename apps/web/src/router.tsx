import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { loadMessages } from './i18n/messages.ts'
import { isPhoneAgent } from './lib/device.ts'
import { pathForDevice } from './lib/devicePath.ts'
import { goToLogin, readToken } from './lib/session.ts'
import { type PageLoader, type PlannedRoute, type Route, routes } from './routes.tsx'
import { NotFound } from './shells/NotFound.tsx'
import { PageBroken } from './shells/PageBroken.tsx'
import { PageSkeleton } from './shells/PageSkeleton.tsx'
import { Root } from './shells/Root.tsx'

const skeletonAfterMs = 250
const has = (pages: Route[]) => (plain: string) => pages.some(route => route.path === plain)
/** Phones always have the dashboard under /m/, in its desktop layout until it has one for phones. */
const phonePages = routes.filter(route => route.phone || route.path === '/')
const pages = { desktop: has(routes), phone: has(phonePages) }

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  async beforeLoad({ location }) {
    if (readToken() === null) {
      goToLogin()
      // The window is navigating away: render and fetch nothing in the meantime.
      await new Promise(() => {})
    }
    const elsewhere = pathForDevice(location.pathname, isPhoneAgent(navigator.userAgent), pages)
    if (elsewhere) throw redirect({ to: elsewhere, search: location.search, replace: true })
  },
})

type SearchReader = NonNullable<Route['search']>

const routeFor = <P extends string, S extends SearchReader | undefined>(
  path: P,
  load: PageLoader,
  messages: Route['messages'] = [],
  search: S,
) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: search,
    component: lazyRouteComponent(load),
    loader: () => loadMessages(...messages),
  })

type RouteAt<Prefix extends string, R extends PlannedRoute> = R extends PlannedRoute
  ? ReturnType<
      typeof routeFor<`${Prefix}${R['path']}`, R extends { search: infer S extends SearchReader } ? S : undefined>
    >
  : never

const desktopRoutes = routes.map(({ path, desktop, messages, search }) => routeFor(path, desktop, messages, search))
const phoneRoutes = phonePages.map(({ path, phone, desktop, messages, search }) =>
  routeFor(`/m${path}`, phone ?? desktop, messages, search),
)
const children = [...desktopRoutes, ...phoneRoutes] as unknown as (
  | RouteAt<'', PlannedRoute>
  | RouteAt<'/m', PlannedRoute>
)[]

/** Search parameters stay text: a 32-digit trade number must not become a number. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))
const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text ? `?${text}` : ''
}

export const router = createRouter({
  routeTree: rootRoute.addChildren(children),
  parseSearch,
  stringifySearch,
  trailingSlash: 'preserve',
  defaultPreload: 'intent',
  defaultPendingMs: skeletonAfterMs,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: PageBroken,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
