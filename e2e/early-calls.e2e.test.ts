import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import { until } from '@coffer/local/testing/until.ts'
import type { BrowserContext } from 'playwright-core'
import { prefetchPlansByDevice } from '../apps/web/src/early/plan.ts'
import { newMerchant, newShop } from './merchants.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

/**
 * Paths and queries of the calls that a page sends. `least`: how many it sends without its code, maybe after it has
 * loaded.
 */
async function opened(context: BrowserContext, path: string, stopCode: boolean, least = 0) {
  const page = await context.newPage()
  const calls: string[] = []
  const modules: string[] = []
  const policy: string[] = []
  page.on('console', message => message.text().includes('Content Security Policy') && policy.push(message.text()))
  page.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/v1/') && pathname !== '/api/v1/user/events') calls.push(pathname + search)
    if (pathname.startsWith('/assets/')) modules.push(pathname)
  })
  // Without React, which stands in `pocket` on phones, the page's modules do not run.
  if (stopCode) await page.route(/\/assets\/(react|pocket)-[^/]*\.js$/, route => route.abort())
  await page.goto(`${url}${path}`)
  if (stopCode)
    await until(
      `${path} sends its calls`,
      async () => calls.length,
      count => count >= least,
    )
  else {
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  }
  await page.close()
  return { calls, modules, policy }
}

test('calls start from the HTML, before any code of the page, and are sent once', async t => {
  const merchant = await newMerchant(url, 'Early')
  const desktop = await newPage(t, { as: merchant, own: true })
  // A first visit: later, the service worker answers from its cache, which counts as requests of the page.
  const pocket = await newPage(t, { as: merchant, ...phone, serviceWorkers: 'block', own: true })
  for (const { on, under, device } of [
    { on: desktop.context(), under: '', device: 'index' },
    { on: pocket.context(), under: '/m', device: 'phone' },
  ] as const) {
    const { shell, pages } = prefetchPlansByDevice[device]
    for (const [plain, { calls }] of Object.entries(pages)) {
      const path = under + plain
      const planned = [...shell.calls, ...calls].map(({ url }) => url).sort()
      const stopped = await opened(on, path, true, planned.length)
      assert.deepEqual(stopped.calls.toSorted(), planned, `${path}: the HTML sends its calls`)
      assert.deepEqual(stopped.policy, [])
      const whole = await opened(on, path, false)
      for (const call of planned)
        assert.equal(whole.calls.filter(each => each === call).length, 1, `${path}: ${call} is sent once`)
      assert.deepEqual(new Set(whole.modules).size, whole.modules.length, `${path}: no file is requested twice`)
    }
  }
  const stranger = (await newPage(t, { own: true })).context()
  assert.deepEqual((await opened(stranger, '/', true)).calls, [], 'nobody is signed in')
})

test('what changes between the first calls of a page and the opening of its stream shows', async t => {
  const shop = await newShop(url, 'Between')
  const page = await newPage(t, { as: shop })
  const isRead = page.waitForResponse(response => response.url().includes('/api/v1/transactions/list'))
  const isOrdered = Promise.withResolvers<void>()
  await page.route('**/api/v1/user/events*', async route => {
    await isOrdered.promise
    await route.continue()
  })
  await page.goto(`${url}/record`)
  await isRead
  await page.getByRole('heading', { level: 1 }).waitFor()
  await shop.coffer.createOrder({ out_trade_no: 'between-1', amount: '5', currency: 'USDT' })
  isOrdered.resolve()
  await page.getByText('between-1').first().waitFor()
})
