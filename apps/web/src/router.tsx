import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { isPhoneAgent, pathForDevice } from './device.ts'
import { loadMessages } from './i18n/messages.ts'
import { type PageLoader, type Route, routes } from './routes.tsx'
import { goToLogin, readToken } from './session.ts'
import { NotFound } from './shells/NotFound.tsx'
import { PageBroken } from './shells/PageBroken.tsx'
import { PageSkeleton } from './shells/PageSkeleton.tsx'
import { PhoneNotice } from './shells/PhoneNotice.tsx'
import { Root } from './shells/Root.tsx'

const skeletonAfterMs = 250
const phonePages = new Set(routes.filter(route => route.phone).map(route => route.path))

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFound,
  async beforeLoad({ location }) {
    if (readToken() === null) {
      goToLogin()
      // The window is leaving: nothing of the page may be drawn or asked for meanwhile.
      await new Promise(() => {})
    }
    const elsewhere = pathForDevice(
      location.pathname,
      isPhoneAgent(navigator.userAgent),
      path => path === '/' || phonePages.has(path),
    )
    if (elsewhere) throw redirect({ to: elsewhere, search: location.search as never, replace: true })
  },
})

const routeFor = (path: string, load: PageLoader, { messages = [] }: Pick<Route, 'messages'>) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: lazyRouteComponent(load),
    loader: () => loadMessages(...messages),
  })

const desktopRoutes = routes.map(route => routeFor(route.path, route.desktop, route))
const phoneRoutes = routes.flatMap(route => (route.phone ? [routeFor(`/m${route.path}`, route.phone, route)] : []))
/** What stands at /m/ until there is a page for phones. */
const phoneHome = phonePages.has('/')
  ? []
  : [createRoute({ getParentRoute: () => rootRoute, path: '/m', component: PhoneNotice })]

/** Filters in the URL stay text: a 32-digit trade number must not become a number on the way. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))
const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text ? `?${text}` : ''
}

export const router = createRouter({
  routeTree: rootRoute.addChildren([...desktopRoutes, ...phoneRoutes, ...phoneHome]),
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
