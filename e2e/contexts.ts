import { launchBrowser, newContext } from '@coffer/local/testing/browser.ts'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { logOf, type Tested } from './page-log.ts'

/** More than any step takes (ms), also on a busy machine. */
const patience = 60_000

/** A context that is used again. */
interface Used {
  context: BrowserContext
  /** A page of the server that stays open, and the renderer's process with it, which has compiled the code. */
  parked: Page
  devtools: CDPSession
  /** Where its pages have been. */
  origins: Set<string>
}

interface Shared {
  browser: Promise<Browser>
  /** Files that have not ended. */
  files: number
  /** Contexts that no test has, by their options. */
  free: Map<string, Used[]>
}

let shared: Shared | undefined

/** How a page is opened: the token of a session, and whether its context is closed instead of used again. */
interface Opening {
  options: BrowserContextOptions
  token: string | undefined
  own: boolean
}

export interface Contexts {
  /** Opens a page in a context with these options, in which nothing is stored but the token. */
  newPage: (scope: Scope & Tested, url: string, opening: Opening) => Promise<Page>
}

/**
 * The browser of this process, which closes with the last of its files. Contexts are used again: where a page was open
 * before and another stays, the next takes a third less of the processor.
 */
export async function withContexts(scope: Scope): Promise<Contexts> {
  shared ??= { browser: launchBrowser(), files: 0, free: new Map() }
  const using = shared
  using.files++
  scope.after(async () => {
    if (--using.files > 0) return
    shared = undefined
    await (await using.browser).close()
  })
  const browser = await using.browser
  return {
    async newPage(scope, url, { options, token, own }) {
      const key = JSON.stringify([url, options])
      const known = own ? undefined : using.free.get(key)?.pop()
      const used = known ?? (await open(browser, url, options))
      const { context, parked } = used
      let tell: ReturnType<typeof logOf> | undefined
      scope.after(async () => {
        await tell?.(scope)
        if (own) return context.close()
        await Promise.all(context.pages().map(page => page !== parked && page.close()))
        using.free.set(key, [...(using.free.get(key) ?? []), used])
      })
      if (known) await forget(known)
      if (token) await parked.evaluate(token => localStorage.setItem('token', token), token)
      if (own) await parked.close()
      const page = await context.newPage()
      tell = logOf(page)
      return page
    },
  }
}

async function open(browser: Browser, url: string, options: BrowserContextOptions): Promise<Used> {
  const context = await newContext(browser, options)
  context.setDefaultTimeout(patience)
  const origins = new Set<string>()
  context.on('page', page => page.on('framenavigated', frame => origins.add(new URL(frame.url()).origin)))
  const parked = await context.newPage()
  // Any small file of the origin.
  await parked.goto(`${url}/sandbox/page.css`)
  return { context, parked, devtools: await context.newCDPSession(parked), origins }
}

/** Forgets what a page can store or be allowed, but not the files and code in the cache. */
async function forget({ context, devtools, origins }: Used): Promise<void> {
  const storageTypes = 'cookies,local_storage,indexeddb,cache_storage,service_workers'
  for (const origin of origins)
    if (origin !== 'null') await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes })
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)])
}
