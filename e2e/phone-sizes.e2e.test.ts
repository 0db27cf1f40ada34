import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import { until } from '@coffer/local/testing/until.ts'
import type { Page } from 'playwright-core'
import { newMerchant, newShop, takePayment } from './merchants.ts'
import { faults } from './steps.ts'
import { change, settle } from './walk.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

const pages = ['', 'openAuth', 'openAuthPage', 'reviewing', 'initPage', 'nowhere', 'accountInfo', 'appManage']
const money = ['withdraw', 'record/withdrawal', 'transfer', 'transfer/record', 'record/refund', 'address']
const assets = ['', '/fundingDetails', '/recharge', '/fixedAddr', '/WithdrawSetting'].map(each => `property${each}`)
const lists = ['collect', 'collect?view=links', 'callbackList', 'workOrder', 'statistics', 'record']

/**
 * Controls of less than 44 px of height to a thumb, but for links within a sentence. Runs in the page as text, as it
 * has the DOM.
 */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('a, button, input, select, summary')].flatMap(each => {
    const text = each.textContent.trim()
    const within = getComputedStyle(each).display === 'inline' && each.parentElement.textContent.trim().length > text.length
    if (!each.checkVisibility() || each.disabled || within) return []
    each.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { x, y, width, height } = each.getBoundingClientRect()
    if (width < 2 || height < 2 || height > 43) return []
    const own = [each, ...(each.labels ?? [])]
    const reach = step => {
      let far = 0
      while (far < 43) {
        const there = document.elementFromPoint(x + width / 2, y + height / 2 + step * far)
        if (!own.some(one => one.contains(there))) break
        far++
      }
      return far
    }
    return reach(-1) + reach(1) > 43 ? [] : [each.tagName + ' ' + (each.ariaLabel ?? text)]
  })`)

/** How the pages are looked at: with axe or by their width alone. 180 px is 360 px at 200 %. */
const looks = [
  { sizes: [[320, 568]], options: { locale: 'zh-CN', colorScheme: 'dark' }, findings: faults },
  {
    sizes: [
      [180, 390],
      [430, 932],
      [844, 390],
    ],
    options: {},
    findings: smallTargets,
  },
] as const
test('fits 320 to 430 px, landscape and large text, without serious axe findings', async t => {
  const shop = await newShop(url, 'Sizes')
  const paid = await takePayment(url, shop, { out_trade_no: 's-1', amount: '203' })
  const found: string[] = []
  for (const { sizes, options, findings } of looks) {
    const small = await newPage(t, { as: shop, ...phone, ...options })
    for (const path of [...pages, ...money, ...assets, ...lists, 'billing', `record?trade_no=${paid}`].map(
      each => `/m/${each}`,
    )) {
      const [[width, height]] = sizes
      await small.setViewportSize({ width, height })
      if (path === '/m/' || path.includes('?')) await small.goto(`${url}${path}`)
      else await change(small, path)
      if (path.includes('trade_no')) await small.getByRole('dialog').waitFor()
      await settle(small)
      for (const [width, height] of sizes) {
        await small.setViewportSize({ width, height })
        // Not innerWidth, which grows with the contents on a phone.
        await until(
          `${path} fits ${width} px`,
          () =>
            small.evaluate<number[]>('[document.documentElement.clientWidth, document.documentElement.scrollWidth]'),
          ([inner, contents]) => inner === width && contents === width,
        )
      }
      // Facts of a row are set apart, by a point that is drawn and not read.
      if (path === '/m/accountInfo') {
        const fact = small.getByText(/^(This session|当前会话)$/).first()
        await fact.waitFor()
        assert.equal(
          await fact.evaluate(each => each.ownerDocument.defaultView?.getComputedStyle(each, '::before').content),
          '"·"',
        )
      }
      found.push(...(await findings(small)).map(fault => `${path}: ${fault}`))
    }
    // Details that were opened directly close before the page is left.
    await small.getByRole('dialog').waitFor()
    await small.goBack()
    await small.waitForURL(`${url}/m/record`)
  }
  assert.deepEqual(found, [])
})

test('a page that was opened directly keeps its place when back closes its first sheet', async t => {
  const page = await newPage(t, { ...phone, as: await newMerchant(url, 'Place') })
  await page.goto(`${url}/m/accountInfo`)
  await page.getByRole('button', { name: 'Close account' }).click()
  const sheet = page.getByRole('dialog', { name: 'Close this account?' })
  await sheet.waitFor()
  await page.goBack()
  await sheet.waitFor({ state: 'detached' })
  assert.notEqual(await page.evaluate('scrollY'), 0)
})

test('nothing shows above the day of the notifications that are scrolled to', async t => {
  const page = await newPage(t, { as: await newMerchant(url, 'Days'), ...phone, viewport: { width: 390, height: 250 } })
  await page.goto(`${url}/m/`)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const news = page.getByRole('dialog', { name: 'Notifications' })
  await news.getByText('It is all, nothing more').scrollIntoViewIfNeeded()
  const topOf = async (part: string) => (await news.locator(part).boundingBox())?.y
  assert.equal(await topOf('h3'), await topOf('.pt-3'))
})
