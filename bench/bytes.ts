import { launchBrowser, phone } from '@coffer/local/testing/browser.ts'
import { withSandbox } from '../e2e/sandbox.ts'
import type { Figure, Scope } from './figure.ts'
import { countBytes, openShop } from './shop.ts'

/** The address of the operator's console, signed in. */
async function operatorsConsole(url: string): Promise<string> {
  const { data } = (await (await fetch(`${url}/sandbox/console`)).json()) as { data: { url: string } }
  return data.url
}

/** Font that may be loaded after the first paint (kB), which delays nothing. */
const fontBudget = 13

/** Runs in the page: the bytes of fonts that were requested after something was drawn. */
function lateFont(): number {
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  const files = performance.getEntriesByType('resource') as unknown as {
    name: string
    startTime: number
    encodedBodySize: number
  }[]
  return files
    .filter(({ name, startTime }) => paint && name.endsWith('.woff2') && startTime > paint.startTime)
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
}

/** Transferred size of JavaScript, CSS and fonts (kB of 1,000 bytes, compressed) in a browser with an empty cache. */
export async function bytes(here: Scope): Promise<Figure[]> {
  const browser = await launchBrowser()
  here.after(() => browser.close())
  const { url } = await withSandbox(here)
  const { token, payUrl } = await openShop(browser, url, 1)
  const rows: [string, string, number][] = [
    ['login', '/login', 80],
    ['dashboard', '/', 165],
    ['records', '/record', 180],
    ['checkout', payUrl, 60],
    ['console', await operatorsConsole(url), 150],
    ['phone records', '/m/record', 125],
    ['phone home', '/m/', 140],
    ['phone assets', '/m/property', 140],
  ]
  const figures: Figure[] = []
  for (const [name, path, budget] of rows) {
    const context = await browser.newContext({ ...(path.startsWith('/m/') && phone), locale: 'en-US' })
    if (name !== 'login') await context.addInitScript(value => localStorage.setItem('token', value), token)
    const cold = await context.newPage()
    const sum = await countBytes(await context.newCDPSession(cold))
    await cold.goto(new URL(path, url).href)
    await cold.getByRole('heading').first().waitFor()
    await cold.waitForTimeout(2_000)
    const font = (await cold.evaluate(lateFont)) / 1000
    await context.close()
    const size = sum() / 1000 - font
    figures.push({
      what: `${name}, JS, CSS and fonts`,
      value: `${size.toFixed(1)} kB`,
      comparison: `at most ${budget} kB; after the first paint a font of ${font.toFixed(1)} kB, at most ${fontBudget}`,
      holds: size <= budget && font <= fontBudget,
    })
  }
  return figures
}
