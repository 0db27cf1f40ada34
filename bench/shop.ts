import type { Browser, CDPSession } from 'playwright-core'
import { createApplication, openPermission, register } from '../e2e/steps.ts'
import type { Figure } from './figure.ts'

/** CPU slowdown of the pages that are timed. */
export const slowdown = 4
/** Largest cumulative layout shift while a page loads. */
const shiftLimit = 0.02

/**
 * Registers a merchant with an application and `payments` payments that have a chain, a token and an address. Returns
 * the session's token and the checkout's URL of the last payment.
 */
export async function openShop(
  browser: Browser,
  url: string,
  payments: number,
): Promise<{ token: string; payUrl: string }> {
  const context = await browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  await register(page, url, 'shop@example.com')
  await openPermission(page, url, 'Shop Ltd')
  const { secretKey } = await createApplication(page, url, { name: 'Shop', notifyUrl: '' })
  let payUrl = ''
  for (let n = 0; n < payments; n++) {
    const response = await fetch(`${url}/api/v1/pay/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ out_trade_no: `shop-${n}`, amount: '12.5', chain: 'eth', token: 'USDT' }),
    })
    if (!response.ok) throw new Error(`payment ${n}: ${response.status} ${await response.text()}`)
    const { data } = (await response.json()) as { data: { pay_url: string } }
    payUrl = data.pay_url
  }
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  await context.close()
  return { token, payUrl }
}

/** Counts the transferred bytes of scripts, stylesheets and fonts, without headers. */
export async function countBytes(session: CDPSession): Promise<() => number> {
  const kinds = new Map<string, string>()
  let sum = 0
  session.on('Network.responseReceived', event => void kinds.set(event.requestId, event.type))
  session.on('Network.dataReceived', event => {
    if (['Script', 'Stylesheet', 'Font'].includes(kinds.get(event.requestId) ?? '')) sum += event.encodedDataLength
  })
  await session.send('Network.enable')
  return () => sum
}

export interface Watched {
  shift: number
  /** Since when nothing is loading (ms after the navigation began); 0 while something is. */
  drawn: number
}

/**
 * Runs in the page before any other script: sums up layout shifts, and notes when the last placeholder has been
 * replaced.
 */
export function watch(): void {
  const page = globalThis as unknown as Watched & { document: Dom }
  page.shift = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as unknown as { hadRecentInput: boolean; value: number }[])
      if (!entry.hadRecentInput) page.shift += entry.value
  }).observe({ type: 'layout-shift' as never, buffered: true })
  page.drawn = 0
  const look = () => {
    const done = page.document.querySelector('h1') && !page.document.querySelector('[aria-busy=true]')
    page.drawn = done ? page.drawn || performance.now() : 0
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Runs in the page: what `watch` has seen. */
export function readWatched(): Watched {
  const { drawn, shift } = globalThis as unknown as Watched
  return { drawn, shift }
}

export const shiftFigure = (name: string, shifts: number[]): Figure => ({
  what: `${name}, layout shift while loading`,
  value: Math.max(...shifts).toFixed(4),
  comparison: `at most ${shiftLimit}, worst of ${shifts.length}`,
  holds: Math.max(...shifts) <= shiftLimit,
})

/** The part of the DOM that is used in the page; this workspace has no DOM types. */
export interface Dom {
  documentElement: { scrollHeight: number }
  querySelector(selector: string): { click(): void; textContent: string } | null
}
declare const requestAnimationFrame: (callback: (now: number) => void) => number
