import { launchBrowser } from '@coffer/local/testing/browser.ts'
import type { Browser, Page } from 'playwright-core'
import { withSandbox } from '../e2e/sandbox.ts'
import { createApplication, openPermission, register } from '../e2e/steps.ts'
import { type Figure, median, scope } from './figure.ts'

const payments = 460
const pageSize = 20
const slowdown = 4
const changes = 22
/** How long a reader looks at a page of the list before turning it; the one after it has been fetched by then. */
const lookMs = 600
const shiftLimit = 0.02

/**
 * The list of payments in a browser on a CPU made four times slower: from the click on "Next page" to the frame that
 * shows the other rows; and how far what is drawn moves while dashboard and list load.
 */
export async function page(): Promise<Figure[]> {
  const here = scope()
  const browser = await launchBrowser()
  here.after(() => browser.close())
  try {
    const { url } = await withSandbox(here)
    const token = await fill(browser, url)
    /** Of `spin`, in ms, on this machine at its best. */
    let unhindered = Number.POSITIVE_INFINITY
    const open = async (path: string) => {
      const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
      await context.addInitScript(value => localStorage.setItem('token', value), token)
      const opened = await context.newPage()
      await opened.addInitScript(watchShifts)
      for (let n = 0; n < 20; n++) unhindered = Math.min(unhindered, await opened.evaluate(spin))
      const session = await context.newCDPSession(opened)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      await opened.goto(`${url}${path}`)
      await opened.getByRole('heading').first().waitFor()
      await opened.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      await opened.waitForTimeout(lookMs)
      return opened
    }
    const figures: Figure[] = []
    for (const [name, path] of [
      ['dashboard', '/'],
      ['records', '/record'],
    ] as const) {
      const opened = await open(path)
      await opened.waitForTimeout(1_500)
      figures.push({
        what: `${name}, layout shift while loading`,
        value: (await opened.evaluate(() => (globalThis as unknown as Watched).shift)).toFixed(4),
        beside: `at most ${shiftLimit}`,
      })
      await opened.context().close()
    }
    const list = await open(`/record?pageSize=${pageSize}`)
    const times: number[] = []
    const slower: number[] = []
    for (let n = 0; n < changes; n++) {
      slower.push((await list.evaluate(spin)) / unhindered)
      const ahead = n + 3
      const fetched =
        ahead <= payments / pageSize ? list.waitForResponse(each => each.url().includes(`current=${ahead}`)) : null
      times.push(await list.evaluate(turn, 'next' as const))
      await Promise.all([fetched, list.waitForTimeout(lookMs)])
    }
    const back = await list.evaluate(turn, 'first' as const)
    figures.push(
      {
        what: `next ${pageSize} payments drawn, median of ${changes}`,
        value: `${median(times).toFixed(0)} ms`,
        beside: `at most 80 ms, CPU ${slowdown} times slower (with what else ran here: ${median(slower).toFixed(1)} times)`,
      },
      {
        what: 'the same, 95 of 100 are quicker than',
        value: `${(times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0).toFixed(0)} ms`,
        beside: `slowest ${Math.max(...times).toFixed(0)} ms; back to page 1 ${back.toFixed(0)} ms`,
      },
    )
    return figures
  } finally {
    await here.end()
  }
}

/** A merchant with payments of which each has a chain, a token and an address; gives the merchant's token. */
async function fill(browser: Browser, url: string): Promise<string> {
  const context = await browser.newContext({ locale: 'en-US' })
  const opened: Page = await context.newPage()
  await register(opened, url, 'turner@example.com')
  await openPermission(opened, url, 'Turner Ltd')
  const { secretKey } = await createApplication(opened, url, { name: 'Turner', notifyUrl: '' })
  for (let n = 0; n < payments; n++) {
    const response = await fetch(`${url}/api/v1/pay/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ out_trade_no: `page-${n}`, amount: '12.5', chain: 'eth-sandbox', token: 'USDT' }),
    })
    if (!response.ok) throw new Error(`payment ${n}: ${response.status} ${await response.text()}`)
  }
  const token = await opened.evaluate(() => localStorage.getItem('token') ?? '')
  await context.close()
  return token
}

/** Runs in the page: always the same work. How long it took, in ms, tells how slow the CPU is at the moment. */
function spin(): number {
  const started = performance.now()
  let sum = 0
  for (let i = 0; i < 3_000_000; i++) sum += Math.sqrt(i)
  return sum > 0 ? performance.now() - started : 0
}

interface Watched {
  shift: number
}

/** Runs in the page before anything else: adds up what moves by itself. */
function watchShifts(): void {
  const page = globalThis as unknown as Watched
  page.shift = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as unknown as { hadRecentInput: boolean; value: number }[])
      if (!entry.hadRecentInput) page.shift += entry.value
  }).observe({ type: 'layout-shift' as never, buffered: true })
}

/** Runs in the page: turns it, and gives the milliseconds from the click to the frame after the last row has changed. */
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
    // The frame is being made: the next task is run once it has been drawn.
    setTimeout(() => resolve(performance.now() - started))
  }
  button?.click()
  requestAnimationFrame(look)
  return promise
}

/** What `turn` uses of the page; this workspace's types know no browser. */
interface Dom {
  querySelector(selector: string): { click(): void; textContent: string } | null
}
declare const requestAnimationFrame: (callback: () => void) => number
