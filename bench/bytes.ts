import { launchBrowser, phone } from '@coffer/local/testing/browser.ts'
import { withSandbox } from '../e2e/sandbox.ts'
import type { Figure, Scope } from './figure.ts'
import { countBytes, openShop } from './shop.ts'

/** The address of the operator's console, signed in. */
async function operatorsConsole(url: string): Promise<string> {
  const { data } = (await (await fetch(`${url}/sandbox/console`)).json()) as { data: { url: string } }
  return data.url
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
    await context.close()
    figures.push({
      what: `${name}, JS, CSS and fonts`,
      value: `${(sum() / 1000).toFixed(1)} kB`,
      comparison: `at most ${budget} kB`,
      holds: sum() / 1000 <= budget,
    })
  }
  return figures
}
