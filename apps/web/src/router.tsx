import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { loadMessages } from './i18n/messages.ts'
import { goToLogin, readToken } from './lib/session.ts'
import { type PageLoader, type PlannedRoute, type Route, routes } from './routes.tsx'
import { NotFound } from './shells/NotFound.tsx'
import { PageBroken } from './shells/PageBroken.tsx'
import { PageSkeleton } from './shells/PageSkeleton.tsx'
import { Root } from './shells/Root.tsx'

const skeletonAfterMs = 250

/** What differs between the desktop and phones. */
interface Device {
  basepath?: string
  shell: ComponentType<{ children: ReactNode }>
  pageOf(route: Route): PageLoader
  /** The path to show instead of another, if any. */
  guard?(path: string): Promise<string | undefined>
}

type SearchReader = NonNullable<Route['search']>

const routeTree = ({ shell: Shell, pageOf, guard }: Device) => {
  const rootRoute = createRootRoute({
    component: () => <Root Shell={Shell} />,
    notFoundComponent: NotFound,
    async beforeLoad({ location }) {
      if (readToken() === null) {
        goToLogin()
        // The window is navigating away: render and fetch nothing in the meantime.
        await new Promise(() => {})
      }
      const elsewhere = await guard?.(location.pathname)
      if (elsewhere) throw redirect({ to: elsewhere, replace: true })
    },
  })
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
  type RouteAt<R extends PlannedRoute> = R extends PlannedRoute
    ? ReturnType<typeof routeFor<R['path'], R extends { search: infer S extends SearchReader } ? S : undefined>>
    : never
  const children = routes.map(route => routeFor(route.path, pageOf(route), route.messages, route.search))
  return rootRoute.addChildren(children as unknown as RouteAt<PlannedRoute>[])
}

/** Search parameters stay text: a 32-digit trade number must not become a number. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))
const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text ? `?${text}` : ''
}

/** The router of a device. Pages, links and searches are the same on each; only the paths of phones begin with /m. */
export const makeRouter = (device: Device) =>
  createRouter({
    routeTree: routeTree(device),
    ...(device.basepath && { basepath: device.basepath }),
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

export type AppRouter = ReturnType<typeof makeRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
