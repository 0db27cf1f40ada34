import { phone as device, launchBrowser } from '@coffer/local/testing/browser.ts'
import { withSandbox } from '../e2e/sandbox.ts'
import { type Figure, median, percentile, type Scope } from './figure.ts'
import { countBytes, type Dom, openShop, readWatched, shiftFigure, slowdown, watch } from './shop.ts'

const payments = 500
const openings = 5
/** 1.6 Mbit/s down, 0.75 up, in bytes per second, and 150 ms to the server. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const limits = { interactiveMs: 1_500, frameMs: 25 }

/**
 * Pages of phones on a slow phone with a slow connection and an empty cache: bytes of JavaScript and CSS, the time
 * until all of the page is drawn and its thread is free, and the layout shift. Then the frames while a list of 500
 * payments is scrolled.
 */
export async function phone(here: Scope): Promise<Figure[]> {
  const browser = await launchBrowser()
  here.after(() => browser.close())
  const { url } = await withSandbox(here)
  const { token } = await openShop(browser, url, payments)
  const open = async (path: string, slow: boolean) => {
    const context = await browser.newContext({ ...device, locale: 'en-US' })
    await context.addInitScript(value => localStorage.setItem('token', value), token)
    const page = await context.newPage()
    await page.addInitScript(watch)
    const session = await context.newCDPSession(page)
    const bytes = await countBytes(session)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    if (slow) await session.send('Network.emulateNetworkConditions', network)
    await page.goto(`${url}${path}`)
    // Asking takes the page's time, which would be measured.
    await page.waitForTimeout(2_000)
    while (!(await page.evaluate(readWatched)).drawn) await page.waitForTimeout(50)
    await page.waitForTimeout(1_000)
    return { page, bytes: bytes(), ...(await page.evaluate(readWatched)) }
  }
  const figures: Figure[] = []
  for (const [name, path] of [
    ['records', '/m/record'],
    ['home', '/m/'],
    ['assets', '/m/property'],
  ] as const) {
    const opened = []
    for (let n = 0; n < openings; n++) {
      const each = await open(path, true)
      opened.push(each)
      await each.page.context().close()
    }
    const drawn = median(opened.map(each => each.drawn))
    const size = median(opened.map(each => each.bytes))
    const slowest = Math.max(...opened.map(each => each.drawn))
    figures.push(
      {
        what: `${name}, interactive with an empty cache (${(size / 1000).toFixed(1)} kB)`,
        value: `${drawn.toFixed(0)} ms`,
        comparison: `at most ${limits.interactiveMs} ms, CPU ${slowdown} times slower, 1.6 Mbit/s, 150 ms; slowest ${slowest.toFixed(0)} ms`,
        holds: drawn <= limits.interactiveMs,
      },
      shiftFigure(
        name,
        opened.map(each => each.shift),
      ),
    )
  }
  const { page } = await open('/m/record', false)
  const end = page.getByText('It is all, nothing more')
  while (!(await end.isVisible())) {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await page.waitForTimeout(50)
  }
  const rows = await page.getByRole('region', { name: 'Payment records' }).getByRole('listitem').count()
  const frames = await page.evaluate(scrollThrough)
  // The peer: as many rows of plain text, without code.
  await page.goto('about:blank')
  await page.setContent(plainRows)
  const plain = await page.evaluate(scrollThrough)
  figures.push({
    what: `records, frames while ${rows} rows are scrolled`,
    value: `${median(frames).toFixed(1)} ms`,
    comparison: `95 % within ${percentile(frames, 0.95).toFixed(1)} ms, at most ${limits.frameMs}, plain rows ${percentile(plain, 0.95).toFixed(1)}; CPU ${slowdown} times slower, ${frames.length} frames`,
    holds: rows === payments && percentile(frames, 0.95) <= limits.frameMs,
  })
  return figures
}

const plainRows = `<!doctype html><meta name="viewport" content="width=device-width"><style>li{height:64px}</style><ul>${'<li>Row'.repeat(payments)}</ul>`

/** Runs in the page: scrolls from the top to the end, 60 px a frame, and returns the time of each frame (ms). */
function scrollThrough(): Promise<number[]> {
  const { document, scrollTo } = globalThis as unknown as { document: Dom; scrollTo(x: number, y: number): void }
  const height = document.documentElement.scrollHeight
  scrollTo(0, 0)
  const times: number[] = []
  const { promise, resolve } = Promise.withResolvers<number[]>()
  let last = 0
  let place = 0
  const step = (now: number) => {
    if (last > 0) times.push(now - last)
    last = now
    place += 60
    if (place > height) return resolve(times.slice(5))
    scrollTo(0, place)
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
  return promise
}

declare const requestAnimationFrame: (callback: (now: number) => void) => number
