import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import type { Page } from 'playwright-core'
import { newShop, takePayment } from './merchants.ts'
import { change } from './walk.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

/** How long (ms) a button may be covered. */
const coveredMs = 2_000

/** A page that asks for nothing. */
const elsewhere = '/nowhere'

/** The pages of an open account. */
const paths = [
  '/',
  '/statistics',
  '/collect',
  '/record',
  '/record/withdrawal',
  '/record/refund',
  '/property',
  '/property/fundingDetails',
  '/property/WithdrawSetting',
  '/property/fixedAddr',
  '/property/recharge',
  '/withdraw',
  '/transfer',
  '/transfer/record',
  '/appManage',
  '/callbackList',
  '/address',
  '/billing',
  '/workOrder',
  '/accountInfo',
]

/**
 * Collects what a person would call broken: refused calls, errors in the console, and rejections that nobody handled.
 */
function watch(page: Page) {
  const faults: string[] = []
  const underWay = new Set<unknown>()
  // The stream of events never ends.
  page.on('request', request => /\/api\/v1\/(?!.*\/events)/.test(request.url()) && underWay.add(request))
  // The calls of a page that was left may end without a word.
  page.on('framenavigated', () => underWay.clear())
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', request => underWay.delete(request))
  page.on('response', response => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  // The browser logs refused calls as well.
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  })
  page.on('pageerror', error => faults.push(String(error)))
  return {
    faults,
    /** Waits until what was drawn has made its calls, and they are answered. */
    async settle() {
      await page.evaluate('new Promise(done => requestAnimationFrame(() => setTimeout(done)))')
      await until('all calls are answered', () => underWay.size === 0)
    },
  }
}

/** The enabled buttons of the page, by their places, so that those of a changed page are found again. */
const buttons = (page: Page) => page.locator('main :is(button, [role=button]):enabled:visible')

test('every button of every page does what it says, without a refused call or an error', async t => {
  const shop = await newShop(url, 'Buttons', `${url}/sandbox/page.css`)
  await takePayment(url, shop, { out_trade_no: 'b-1', amount: '50' })
  const page = await newPage(t, { as: shop })
  const { faults, settle } = watch(page)
  page.on('dialog', dialog => void dialog.dismiss())
  let pressed = 0
  for (const path of paths) {
    /** Opens the page anew: it forgets its state while another is open. */
    const open = async () => {
      await change(page, elsewhere)
      await change(page, path)
      await settle()
    }
    const load = async () => {
      await page.goto(url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settle()
    }
    await (path === '/' ? load() : open())
    const drawn = await buttons(page).evaluateAll(all =>
      all.map(each => ({ html: each.outerHTML, name: each.getAttribute('aria-label') ?? each.textContent })),
    )
    for (const [index, { html, name }] of drawn.entries()) {
      const button = buttons(page).nth(index)
      // What an earlier press has disabled or removed.
      if ((await button.count()) === 0 || (await button.evaluate(each => each.outerHTML)) !== html) {
        await open()
        if ((await buttons(page).count()) <= index) continue
      }
      const before = faults.length
      const address = page.url()
      // What an earlier press has opened may come a moment later, and lie above.
      await button.click({ timeout: coveredMs }).catch(async () => {
        await load()
        await button.click()
      })
      pressed++
      // Whatever it has opened, and the calls that it makes.
      await settle()
      if (faults.length > before) faults.push(`… by a press on ${path}: ${name}`)
      await page.keyboard.press('Escape')
      if ((await page.locator('[role=dialog], [role=menu], [role=listbox]').count()) > 0) await load()
      else if (page.url() !== address) await open()
    }
  }
  assert.deepEqual(faults, [])
  assert.ok(pressed > 40, `only ${pressed} buttons were found`)
})
