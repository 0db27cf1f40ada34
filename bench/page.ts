import { launchBrowser } from '@coffer/local/testing/browser.ts'
import type { Page } from 'playwright-core'
import { withSandbox } from '../e2e/sandbox.ts'
import { type Figure, median, percentile, type Scope } from './figure.ts'
import { type Dom, openShop, readWatched, shiftFigure, slowdown, type Watched, watch } from './shop.ts'

const payments = 460
const pageSize = 20
const changes = 22
/** Times that the dashboard is opened. */
const openings = 7
/** Time a reader stays on a page (ms), in which the next page is prefetched. */
const stayMs = 600

/** A signed-in browser on a CPU throttled four times. */
interface Throttled {
  /** Opens a page in a context of its own, and waits until it is drawn. */
  open: (path: string) => Promise<Page>
  /** How many times slower the CPU is than it was unthrottled. */
  slower: (page: Page) => Promise<number>
}

/**
 * The list of payments in a browser on a CPU throttled four times: the time from the click on "Next page" to the frame
 * with the new rows. Also the cumulative layout shift while dashboard and list load.
 */
export async function page(here: Scope): Promise<Figure[]> {
  const throttled = await openThrottled(here)
  return [
    ...(await measureDashboard(throttled)),
    await measureShift(throttled, 'dashboard', '/'),
    await measureShift(throttled, 'records', '/record'),
    ...(await measureTurns(throttled)),
  ]
}

async function openThrottled(here: Scope): Promise<Throttled> {
  const browser = await launchBrowser()
  here.after(() => browser.close())
  const { url } = await withSandbox(here)
  const { token } = await openShop(browser, url, payments)
  /** Fastest run of `spin` on this machine (ms). */
  let unthrottled = Number.POSITIVE_INFINITY
  return {
    open: async path => {
      const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
      await context.addInitScript(value => localStorage.setItem('token', value), token)
      const opened = await context.newPage()
      await opened.addInitScript(watch)
      for (let n = 0; n < 20; n++) unthrottled = Math.min(unthrottled, await opened.evaluate(spin))
      const session = await context.newCDPSession(opened)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      await opened.goto(`${url}${path}`)
      await opened.getByRole('heading').first().waitFor()
      await opened.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      await opened.waitForTimeout(stayMs)
      return opened
    },
    slower: async opened => (await opened.evaluate(spin)) / unthrottled,
  }
}

async function measureDashboard({ open }: Throttled): Promise<Figure[]> {
  const drawn: number[] = []
  const firstCall: number[] = []
  for (let n = 0; n < openings; n++) {
    const opened = await open('/')
    const times = await opened.evaluate(readTimes)
    drawn.push(times.drawn)
    firstCall.push(times.firstCall)
    await opened.context().close()
  }
  return [
    {
      what: 'dashboard, first call sent',
      value: `${median(firstCall).toFixed(0)} ms`,
      comparison: `after the navigation began, median of ${openings}`,
    },
    {
      what: 'dashboard, all figures drawn',
      value: `${median(drawn).toFixed(0)} ms`,
      comparison: `CPU ${slowdown} times slower, empty cache`,
    },
  ]
}

async function measureShift({ open }: Throttled, name: string, path: string): Promise<Figure> {
  const opened = await open(path)
  await opened.waitForTimeout(1_500)
  const figure = shiftFigure(name, [(await opened.evaluate(readWatched)).shift])
  await opened.context().close()
  return figure
}

async function measureTurns(throttled: Throttled): Promise<Figure[]> {
  const list = await throttled.open(`/record?pageSize=${pageSize}`)
  const times: number[] = []
  const slower: number[] = []
  for (let n = 0; n < changes; n++) {
    slower.push(await throttled.slower(list))
    const ahead = n + 3
    const fetched =
      ahead <= payments / pageSize ? list.waitForResponse(each => each.url().includes(`current=${ahead}`)) : null
    times.push(await list.evaluate(turn, 'next' as const))
    await Promise.all([fetched, list.waitForTimeout(stayMs)])
  }
  const back = await list.evaluate(turn, 'first' as const)
  return [
    {
      what: `next ${pageSize} payments drawn, median of ${changes}`,
      value: `${median(times).toFixed(0)} ms`,
      comparison: `at most 80 ms, CPU ${slowdown} times slower (measured: ${median(slower).toFixed(1)} times)`,
    },
    {
      what: 'the same, p95',
      value: `${percentile(times, 0.95).toFixed(0)} ms`,
      comparison: `slowest ${Math.max(...times).toFixed(0)} ms; back to page 1 ${back.toFixed(0)} ms`,
    },
  ]
}

/** Runs in the page: a fixed amount of work. Its duration (ms) shows the current speed of the CPU. */
function spin(): number {
  const started = performance.now()
  let sum = 0
  for (let i = 0; i < 3_000_000; i++) sum += Math.sqrt(i)
  return sum > 0 ? performance.now() - started : 0
}

/** Runs in the page. */
function readTimes(): { drawn: number; firstCall: number } {
  const calls = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/v1/'))
  return {
    drawn: (globalThis as unknown as Watched).drawn,
    firstCall: Math.min(...calls.map(({ startTime }) => startTime)),
  }
}

/** Runs in the page: clicks, and returns the time (ms) to the frame in which the last row has changed. */
function turn(to: 'next' | 'first'): Promise<number> {
  const document = (globalThis as unknown as { document: Dom }).document
  const button = document.querySelector(to === 'next' ? '[aria-label="Next page"]' : '[aria-label="Page 1"]')
  const rows = () => document.querySelector('tbody tr:last-child')?.textContent
  const before = rows()
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const started = performance.now()
  const look = () => {
    if (performance.now() - started > 10_000) return reject(new Error('the page did not turn'))
    if (rows() === before) return requestAnimationFrame(look)
    // A task queued in a frame callback runs after the frame is drawn.
    setTimeout(() => resolve(performance.now() - started))
  }
  button?.click()
  requestAnimationFrame(look)
  return promise
}

declare const requestAnimationFrame: (callback: () => void) => number
