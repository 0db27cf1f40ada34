import type { Scope } from '@coffer/local/testing/postgres.ts'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { withContexts } from './contexts.ts'
import type { Merchant } from './merchants.ts'
import type { Tested } from './page-log.ts'
import { type Sandbox, sharedSandbox, withSandbox } from './sandbox.ts'

export interface PageOptions extends BrowserContextOptions {
  as?: Pick<Merchant, 'token'>
  /**
   * For tests that change the context itself, such as its clock, its network or its listeners. Only these have service
   * workers, which would store the whole app anew for each test.
   */
  own?: boolean
}

/** A large screen, on which nothing moves while tests wait: each frame is drawn by the processor. */
const defaults: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' }

/** A browser and a sandbox for the tests of a file. */
export interface World<S = Pick<Sandbox, 'url' | 'data'>> {
  sandbox: S
  url: string
  /** Opens a page with nothing stored, of a large screen or with other options, signed in if `as` is given. */
  newPage: (scope: Scope & Tested, options?: PageOptions) => Promise<Page>
}

/** A browser and the shared sandbox. */
export const withWorld = (scope: Scope): Promise<World> => open(scope, sharedSandbox(scope))

/**
 * The same with a sandbox of the file's own, for tests that restart it, set it up differently or change what all
 * merchants share.
 */
export const withOwnWorld = (scope: Scope, env: Record<string, string> = {}): Promise<World<Sandbox>> =>
  open(scope, withSandbox(scope, env))

async function open<S extends { url: string }>(scope: Scope, starting: Promise<S>): Promise<World<S>> {
  const contexts = await withContexts(scope)
  const sandbox = await starting
  const { url } = sandbox
  return {
    sandbox,
    url,
    newPage: (scope, { as, own = false, ...options } = {}) =>
      contexts.newPage(scope, url, {
        options: { ...defaults, ...(!own && { serviceWorkers: 'block' }), ...options },
        token: as?.token,
        own,
      }),
  }
}
