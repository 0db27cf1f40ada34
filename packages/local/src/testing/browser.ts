import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { browserProgram } from './browser-program.ts'
import type { Scope } from './postgres.ts'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of a context share a process, and what it has compiled.
  '--process-per-site',
  // Containers have a small /dev/shm.
  '--disable-dev-shm-usage',
]

/** Starts a browser with its own profile, which is removed when the browser closes. */
export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await browserProgram()
  const home = mkdtempSync(join(tmpdir(), 'coffer-browser-home-'))
  const browser = await chromium.launch({ executablePath, args: flags, env: { ...process.env, ...env, HOME: home } })
  browser.on('disconnected', () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }))
  return browser
}

/** Opens a new browser context. Defaults: English and UTC. */
export const newContext = (browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> =>
  browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options })

/** The same, which ends with the scope. */
export async function withContext(
  scope: Scope,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await newContext(browser, options)
  scope.after(() => context.close())
  return context
}

/** Context options of a phone, which the server and the pages recognise by its user agent. */
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
}
