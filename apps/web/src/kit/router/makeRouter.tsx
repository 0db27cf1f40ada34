import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import type { Area } from '../../i18n/areas.ts'
import { loadMessages } from '../../i18n/messages.ts'
import type { ListPlace } from '../list/search.ts'
import { NotFound } from './NotFound.tsx'
import { PageBroken } from './PageBroken.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'

const skeletonAfterMs = 250

export type PageLoader = () => Promise<{ default: ComponentType }>

/** A page of the back-office or the console, as its table of routes declares it. */
export interface PageRoute {
  path: string
  /** Loaded in parallel with the page's code. */
  messages?: readonly Area[]
  /** Validates the search parameters: filters of a list and the open details. */
  search?: (raw: Record<string, unknown>) => ListPlace
}

interface House<R extends PageRoute> {
  basepath?: string
  routes: readonly R[]
  pageOf(route: R): PageLoader
  /** Draws what surrounds every page, with the page as `Outlet`. */
  root: () => ReactNode
  /** The path to show instead of another, if any. */
  guard?(path: string): Promise<string | undefined>
}

/** Search parameters stay text: a 32-digit trade number must not become a number. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))
const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text ? `?${text}` : ''
}

/** The router of a table of routes, which types its paths and search parameters. */
export function makeRouter<R extends PageRoute>({ basepath, routes, pageOf, root, guard }: House<R>) {
  const rootRoute = createRootRoute({
    component: root,
    notFoundComponent: NotFound,
    async beforeLoad({ location }) {
      const elsewhere = await guard?.(location.pathname)
      if (elsewhere) throw redirect({ to: elsewhere, replace: true })
    },
  })
  const routeFor = <P extends string, S extends PageRoute['search']>(
    path: P,
    load: PageLoader,
    messages: PageRoute['messages'] = [],
    search: S,
  ) =>
    createRoute({
      getParentRoute: () => rootRoute,
      path,
      validateSearch: search,
      component: lazyRouteComponent(load),
      loader: () => loadMessages(...messages),
    })
  type RouteAt<Of extends PageRoute> = Of extends PageRoute
    ? ReturnType<
        typeof routeFor<Of['path'], Of extends { search: infer S extends PageRoute['search'] } ? S : undefined>
      >
    : never
  const children = routes.map(route => routeFor(route.path, pageOf(route), route.messages, route.search))
  return createRouter({
    routeTree: rootRoute.addChildren(children as unknown as RouteAt<R>[]),
    ...(basepath && { basepath }),
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
}

export type RouterOf<R extends PageRoute> = ReturnType<typeof makeRouter<R>>
