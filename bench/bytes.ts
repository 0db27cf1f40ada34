import { launchBrowser, phone } from '@coffer/local/testing/browser.ts'
import { withSandbox } from '../e2e/sandbox.ts'
import { createApplication, openPermission, register } from '../e2e/steps.ts'
import { type Figure, scope } from './figure.ts'

/** The address of the operator's console, signed in. */
async function operatorsConsole(url: string): Promise<URL> {
  const { data } = (await (await fetch(`${url}/sandbox/console`)).json()) as { data: { url: string } }
  return new URL(data.url)
}

/** Transferred size of JavaScript, CSS and fonts (kB of 1,000 bytes, compressed) in a browser with an empty cache. */
export async function bytes(): Promise<Figure[]> {
  const here = scope()
  const browser = await launchBrowser()
  here.after(() => browser.close())
  try {
    const { url } = await withSandbox(here)
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage()
    await register(page, url, 'weigher@example.com')
    await openPermission(page, url, 'Weigher Ltd')
    const { secretKey } = await createApplication(page, url, { name: 'Weigher', notifyUrl: '' })
    const token = await page.evaluate(() => localStorage.getItem('token'))
    const response = await fetch(`${url}/api/v1/pay/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ out_trade_no: 'w-1', amount: '5' }),
    })
    const { data } = (await response.json()) as { data: { pay_url: string } }
    const rows: [string, string, number][] = [
      ['login', '/login', 80],
      ['dashboard', '/', 165],
      ['records', '/record', 180],
      ['checkout', data.pay_url.replace(url, ''), 60],
      ['console', (await operatorsConsole(url)).href, 150],
      ['phone records', '/m/record', 125],
      ['phone home', '/m/', 140],
      ['phone assets', '/m/property', 140],
    ]
    const figures: Figure[] = []
    for (const [name, path, budget] of rows) {
      const context = await browser.newContext({ ...(path.startsWith('/m/') && phone), locale: 'en-US' })
      if (name !== 'login') await context.addInitScript(value => localStorage.setItem('token', value ?? ''), token)
      const cold = await context.newPage()
      const session = await context.newCDPSession(cold)
      const kinds = new Map<string, string>()
      let sum = 0
      session.on('Network.responseReceived', event => void kinds.set(event.requestId, event.type))
      // Transferred bodies, without headers.
      session.on('Network.dataReceived', event => {
        if (['Script', 'Stylesheet', 'Font'].includes(kinds.get(event.requestId) ?? '')) sum += event.encodedDataLength
      })
      await session.send('Network.enable')
      await cold.goto(new URL(path, url).href)
      await cold.getByRole('heading').first().waitFor()
      await cold.waitForTimeout(2_000)
      await context.close()
      figures.push({
        what: `${name}, JS, CSS and fonts`,
        value: `${(sum / 1000).toFixed(1)} kB`,
        comparison: `at most ${budget} kB`,
        holds: sum / 1000 <= budget,
      })
    }
    return figures
  } finally {
    await here.end()
  }
}
