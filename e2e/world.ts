import { launchBrowser, withContext } from '@coffer/local/testing/browser.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Merchant } from './merchants.ts'
import { type Sandbox, sharedSandbox, withSandbox } from './sandbox.ts'

/** More than any step takes (ms), also on a busy machine. */
const patience = 60_000

/** A browser and a sandbox for the tests of a file. */
export interface World<S = Pick<Sandbox, 'url' | 'data'>> {
  browser: Browser
  sandbox: S
  url: string
  /** Opens a page in a new context of a large screen or with other options, signed in if `as` is given. */
  newPage: (scope: Scope, options?: BrowserContextOptions & { as?: Pick<Merchant, 'token'> }) => Promise<Page>
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
  const browser = await launchBrowser()
  scope.after(() => browser.close())
  const sandbox = await starting
  const { url } = sandbox
  return {
    browser,
    sandbox,
    url,
    async newPage(scope, { as, ...options } = {}) {
      const context = await withContext(scope, browser, { viewport: { width: 1440, height: 900 }, ...options })
      context.setDefaultTimeout(patience)
      const page = await context.newPage()
      if (as) {
        // Any small file of the origin.
        await page.goto(`${url}/sandbox/page.css`)
        await page.evaluate(token => localStorage.setItem('token', token), as.token)
      }
      return page
    },
  }
}
