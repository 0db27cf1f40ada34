import type { ComponentType, ReactNode } from 'react'
import { makeRouter as makeRouterOf, type PageLoader } from './kit/router/makeRouter.tsx'
import { goToLogin, readToken } from './lib/session.ts'
import { type Route, routes, type TypedAppRoute } from './routes.ts'
import { Root } from './shells/Root.tsx'

/** What differs between the desktop and phones. */
interface Device {
  basepath?: string
  shell: ComponentType<{ children: ReactNode }>
  pageOf(route: Route): PageLoader
  /** The path to show instead of another, if any. */
  guard?(path: string): Promise<string | undefined>
}

/** The router of a device. Pages, links and searches are the same on each; only the paths of phones begin with /m. */
export const makeRouter = ({ shell: Shell, guard, ...device }: Device) =>
  makeRouterOf<TypedAppRoute>({
    ...device,
    routes: routes as readonly TypedAppRoute[],
    root: () => <Root Shell={Shell} />,
    async guard(path) {
      if (readToken() === null) {
        goToLogin('missing')
        // The window is navigating away: render and fetch nothing in the meantime.
        await new Promise(() => {})
      }
      return guard?.(path)
    },
  })

export type AppRouter = ReturnType<typeof makeRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
