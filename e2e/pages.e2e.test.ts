import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import type { Page, Route } from 'playwright-core'
import { newMerchant, newShop } from './merchants.ts'
import { writeNews } from './news.ts'
import { faults } from './steps.ts'
import { type PageOptions, withWorld } from './world.ts'

const payments = 23
/** Largest sum of layout shifts while a page loads; text that changes its font causes some. */
const mostShift = 0.02

const { url, sandbox, newPage } = await withWorld({ after })
const shop = await newShop(url, 'Pages')
for (let n = 0; n < payments; n++) {
  const out_trade_no = `p-${n}`
  await shop.coffer.createOrder({ out_trade_no, amount: '3', currency: 'USDT', chain: 'eth', token: 'USDT' })
}
await writeNews(sandbox, shop)

/** Opens a page of the shop, which no test changes. */
const signedIn = (t: Parameters<typeof newPage>[0], options: PageOptions = {}) => newPage(t, { as: shop, ...options })

test('side menu: is 216 px wide, collapses by hand and automatically at 1400 px', async t => {
  const page = await signedIn(t)
  await page.goto(url)
  const width = async () => (await page.locator('aside').boundingBox())?.width
  await page.getByRole('button', { name: 'Collapse menu' }).waitFor()
  assert.equal(await width(), 216)
  await page.getByRole('button', { name: 'Collapse menu' }).click()
  await page.getByRole('button', { name: 'Expand menu' }).waitFor()
  assert.equal(await width(), 64)
  await page.getByRole('button', { name: 'Expand menu' }).click()
  await page.setViewportSize({ width: 1400, height: 900 })
  await page.getByRole('button', { name: 'Expand menu' }).waitFor()
  await page.setViewportSize({ width: 1401, height: 900 })
  await page.getByRole('button', { name: 'Collapse menu' }).waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog', { name: 'Main menu' }).getByRole('link', { name: 'Assets' }).click()
  await page.getByRole('heading', { name: 'Assets', level: 1 }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(await page.title(), 'Assets · Coffer')
})

test('routing: shows not found, uses the browser’s language and leaves the paths of phones', async t => {
  const page = await signedIn(t, { locale: 'zh-CN' })
  await page.goto(`${url}/nowhere`)
  await page.getByRole('heading', { name: '页面不存在' }).waitFor()
  await page.getByRole('link', { name: '返回首页' }).click()
  await page.getByRole('heading', { name: '首页', level: 1 }).waitFor()
  await page.goto(`${url}/m/record`)
  await page.waitForURL(`${url}/record`)
})

test('ticker: moves half a pixel per frame after 3 s, and not at all with reduced motion', async t => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const page = await signedIn(t, { reducedMotion, own: true })
    await page.clock.install()
    await page.goto(url)
    const lines = page.getByRole('region', { name: 'Announcements' })
    await lines.getByRole('button', { name: 'Maintenance on Sunday' }).waitFor()
    const search = page.getByRole('button', { name: /^Search/ })
    assert.ok(
      await search.evaluate(button => button.scrollHeight <= button.clientHeight + 2),
      'a long line squeezes it',
    )
    await page.mouse.move(700, 700)
    await page.clock.runFor(3_500)
    const top = await lines.locator('div').evaluate(box => box.scrollTop)
    assert.ok(reducedMotion === 'reduce' ? top === 0 : top > 0 && top <= 24, `${reducedMotion}: ${top} px`)
  }
})

test('a phone shows announcements, and an approved merchant goes on to collect', async t => {
  const page = await signedIn(t, phone)
  await page.goto(url)
  // In the header, where they cover nothing of the page. A test of another file may have had a chain halted and
  // resumed, which is announced to everybody.
  const announced = page.getByRole('banner').getByRole('region', { name: 'Announcements' })
  await announced.getByRole('button', { name: 'Maintenance on Sunday' }).click()
  await page.getByRole('dialog', { name: 'Maintenance on Sunday' }).getByText('Details').waitFor()
  assert.deepEqual(await faults(page), [])
  await page.goto(`${url}/reviewing`)
  await page.getByRole('main').getByRole('link', { name: 'Collect' }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('link').count(), 1)
})

test('language: changes at once, also in texts from the server', async t => {
  const page = await signedIn(t)
  await page.goto(url)
  await page.getByRole('button', { name: 'Maintenance on Sunday' }).waitFor()
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemcheckbox', { name: '简体中文' }).click()
  await page.getByRole('button', { name: '公告：Maintenance on Sunday' }).waitFor()
  await page.getByRole('heading', { name: '首页', level: 1 }).waitFor()
  assert.equal(await page.title(), '首页 · Coffer')
})

test('market: opens on focus, searches in capitals after a pause, follows at most four, closes on blur', async t => {
  const merchant = await newMerchant(url, 'Market')
  const page = await newPage(t, { as: merchant })
  const names: string[] = []
  page.on('request', request => {
    if (request.url().includes('/market/search')) names.push(new URL(request.url()).searchParams.get('name') ?? '')
  })
  const headers = { 'x-token': merchant.token, 'content-type': 'application/json' }
  const body = JSON.stringify({ token: ['USDT', 'BTC', 'ETH', 'TRX'] })
  assert.equal((await fetch(`${url}/api/v1/market/follow/token`, { method: 'PUT', headers, body })).status, 200)
  await page.goto(url)
  const followed = page.getByRole('list', { name: 'Followed' })
  await followed.getByRole('listitem').nth(3).waitFor()
  const box = page.getByRole('searchbox', { name: 'Search tokens' })
  await box.focus()
  const found = page.getByRole('list', { name: 'Search tokens' })
  await found.waitFor()
  const searched = page.waitForResponse('**/market/search?name=BNB')
  await box.pressSequentially('bnb')
  assert.equal(await box.inputValue(), 'BNB')
  await searched
  await found.getByRole('button', { name: 'Follow BNB' }).click()
  await page.getByText('At most 4 tokens can be followed').first().waitFor()
  assert.deepEqual(names, ['', 'BNB'])
  await page.getByRole('heading', { name: 'Market' }).click()
  await page.mouse.click(720, 5)
  await followed.waitFor()
})

test('records: keep filters and page in the URL, and do not search for malformed numbers', async t => {
  const page = await signedIn(t)
  await page.goto(`${url}/record`)
  const rows = page.locator('tbody tr')
  await page.getByText(`${payments} entries`).waitFor()
  assert.equal(await rows.count(), 10)
  await page.getByLabel('Status').selectOption({ label: 'To be paid' })
  assert.deepEqual(await page.getByLabel('Status').locator('option').allTextContents(), [
    'All statuses',
    'To be paid',
    'Account paid',
    'Transaction timeout',
  ])
  await page.waitForURL(/status=1/)
  await page.getByLabel('Per page').selectOption('20')
  await page.waitForURL(/pageSize=20/)
  await page.goto(`${url}/record?pageSize=20&current=9`)
  await page.getByText('Page 9 does not exist').waitFor()
  await page.getByRole('button', { name: 'Go to the last page' }).click()
  await page.waitForURL(/current=2/)
  await page.getByRole('button', { name: 'Previous page' }).click()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.waitForURL(/current=2/)
  await page.reload()
  await rows.nth(2).waitFor()
  await rows.nth(3).waitFor({ state: 'detached' })
  // Back does not reopen closed details.
  await page.goto(`${url}/statistics`)
  await page.getByRole('link', { name: 'Collection records' }).click()
  await rows.first().getByRole('button').first().click()
  await page.getByRole('dialog', { name: 'Payment' }).getByRole('button', { name: 'Close' }).click()
  await page.waitForURL(`${url}/record`)
  await page.goBack()
  await page.waitForURL(`${url}/record`)
  assert.equal(await page.getByRole('dialog').count(), 0)
  const number = page.getByRole('textbox', { name: 'Platform order number' })
  await number.fill('123')
  await number.press('Enter')
  await page.getByText('Please enter a 32-digit order number').waitFor()
  assert.doesNotMatch(page.url(), /platform_no/)
})

test('lists: offer to clear the filters when nothing matches', async t => {
  const page = await signedIn(t)
  for (const [path, filter] of [
    ['/record', 'status=2'],
    ['/callbackList', 'status=3'],
    ['/property/fundingDetails', 'type=gas'],
  ] as const) {
    await page.goto(`${url}${path}?${filter}&pageSize=20`)
    await page.getByText('Nothing matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await page.waitForURL(`${url}${path}?pageSize=20`)
    await page.getByText('Nothing matches these filters').waitFor({ state: 'detached' })
  }
})

test('contents: nothing moves when they arrive after the page, whatever arrives first', async t => {
  const moved: string[] = []
  const calls = /api.v1.(?!user.info)/
  const pages = ['/billing', '/appManage', '/property/WithdrawSetting', '/property/fixedAddr', '/record/refund']
  for (const [device, at, next] of [
    [{}, '', 'shift'],
    [phone, '/m', 'pop'],
  ] as const) {
    const page = await signedIn(t, { ...device, own: true })
    await page.addInitScript(`
      shift = 0
      new PerformanceObserver(list => list.getEntries().forEach(each => each.hadRecentInput || (shift += each.value)))
        .observe({ type: 'layout-shift', buffered: true })`)
    for (const path of pages) {
      const waiting: Route[] = []
      await page.route(calls, route => void waiting.push(route))
      await page.goto(`${url}${at}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      // Only what arrives after the placeholders are drawn can move something.
      await twoFrames(page)
      for (let route = waiting[next](); route; route = waiting[next]()) {
        await route.continue()
        const answer = await route.request().response()
        if (!route.request().url().includes('/events')) await answer?.finished()
        // More than React needs to draw an answer: two at once would hide which of them moves something.
        for (let i = 0; i < 5; i++) await twoFrames(page)
      }
      await page.unroute(calls)
      for (const route of waiting) await route.continue()
      await page.locator('.animate-pulse').first().waitFor({ state: 'detached' })
      await twoFrames(page)
      const shift = await page.evaluate<number>('shift')
      if (shift > mostShift) moved.push(`${at}${path}: ${shift.toFixed(3)}`)
    }
  }
  assert.deepEqual(moved, [])
})

test('export: reports a failure without leaving a file, and can be cancelled', async t => {
  const page = await signedIn(t)
  let files = 0
  page.on('download', () => files++)
  await page.route('**/transactions/list/export**', route => {
    assert.ok(route.request().headers()['x-download'], 'the call is not marked as a download')
    return route.abort()
  })
  await page.goto(`${url}/record`)
  await page.getByRole('button', { name: 'Export' }).click()
  const failed = page.getByRole('alert').filter({ hasText: 'Export failed' })
  await failed.waitFor()
  await page.unroute('**/transactions/list/export**')
  await page.route('**/transactions/list/export**', () => {})
  await failed.getByRole('button', { name: 'Try again' }).click()
  const running = page.getByRole('region', { name: 'Export progress' })
  await running.getByRole('button', { name: 'Cancel' }).click()
  await running.waitFor({ state: 'detached' })
  assert.equal(files, 0)
})

test('statistics: show today, 15 and 30 days, by application', async t => {
  const page = await signedIn(t)
  await page.goto(`${url}/statistics`)
  await page.getByRole('tab', { name: 'Last 15 days', selected: true }).waitFor()
  for (const [name, days] of [
    ['Last 30 days', 30],
    ['Today', 1],
  ] as const) {
    await page.getByRole('tab', { name }).click()
    await page.waitForURL(new RegExp(`days=${days}`))
    await dayRows(page, days)
  }
  await page.getByRole('combobox', { name: 'Application' }).selectOption({ label: 'Pages' })
  await page.waitForURL(/appid=/)
  await page.getByRole('table', { name: 'Per application' }).getByRole('cell', { name: 'Pages' }).waitFor()
  assert.equal(await page.getByRole('table', { name: 'Per application' }).getByRole('row').count(), 2)
})

const twoFrames = (page: Page) =>
  page.evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))')

/** Waits until the table of days has a header, a total and a row per day. */
const dayRows = async (page: Page, days: number) => {
  const rows = page.getByRole('table', { name: 'Per day' }).getByRole('row')
  await rows.nth(days + 1).waitFor()
  await rows.nth(days + 2).waitFor({ state: 'detached' })
}
