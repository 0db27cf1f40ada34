import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect } from 'react'
import { loadMessages, useMessages } from '../../i18n/messages.ts'
import { previousPath } from '../../lib/previousPath.ts'
import { reloadOnRecovery } from '../../lib/recover.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Skeleton } from '../../ui/feedback/States.tsx'
import type { PageRoute } from './pageRoute.ts'

const skeletonAfterMs = 250

declare module '@tanstack/history' {
  interface HistoryState {
    /** The key of the entry whose scroll position this one shares. */
    place?: string
  }
}

export type PageLoader = () => Promise<{ default: ComponentType }>

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
  const router = createRouter({
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
    // An entry of what is open above a page shares the place of the page.
    getScrollRestorationKey: ({ state, href }) => state.place ?? state.__TSR_key ?? href,
  })
  router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
    if (pathChanged) previousPath.set(fromLocation?.pathname.slice(basepath?.length ?? 0) ?? '')
  })
  return router
}

export type RouterOf<R extends PageRoute> = ReturnType<typeof makeRouter<R>>

/** Shown while a page's code loads. */
const PageSkeleton = () => (
  <div aria-busy="true">
    <Skeleton className="mb-6 h-7 w-48" />
    <Skeleton className="h-[320px] w-full rounded-lg" />
  </div>
)

/**
 * Shown when a page fails to render or load (after a server update its old files are gone). The browser remembers a
 * failed file, so the whole page is reloaded once the server answers.
 */
function PageBroken() {
  const t = useMessages('common')
  useEffect(() => reloadOnRecovery({ probe, reload: () => location.reload(), now: Date.now, last }), [])
  return (
    <div role="alert" className="flex min-h-[60vh] flex-col items-center justify-center gap-1 text-center">
      <h1 className="text-xl font-semibold">{t.pageBroken}</h1>
      <p className="text-ink-2">{t.checkConnection}</p>
      <Button className="mt-6" look="primary" icon="refresh" onClick={() => location.reload()}>
        {t.reload}
      </Button>
    </div>
  )
}

const probe = () =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
const key = 'reloaded'
const last = {
  get: () => Number(sessionStorage.getItem(key) ?? 0),
  set: (time: number) => sessionStorage.setItem(key, String(time)),
}

/** Shown for unknown paths and code 403. */
export function NotFound() {
  const t = useMessages('common')
  return (
    <div className="flex min-h-[60vh] flex-col items-center justify-center gap-1 text-center">
      <h1 className="text-2xl font-semibold tracking-tight">{t.noMatch}</h1>
      <p className="text-ink-2">{t.notFound}</p>
      <Link to="/" look="none" className={`${buttonClass('primary')} mt-6`}>
        {t.backHome}
      </Link>
    </div>
  )
}
