import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { newShop, password } from './merchants.ts'
import { faults, tabTo } from './steps.ts'
import { withWorld } from './world.ts'

// Everything here is done by keyboard alone.
const { url, newPage } = await withWorld({ after })
const shop = await newShop(url, 'Keys')
for (const out_trade_no of ['k-1', 'k-2'])
  await shop.coffer.createOrder({ out_trade_no, amount: '3', currency: 'USDT' })

/** Opens a page of the merchant. */
async function open(t: Parameters<typeof newPage>[0], path: string, locale = 'en-US') {
  const page = await newPage(t, { as: shop, locale })
  await page.goto(`${url}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, keyboard: page.keyboard, address: () => new URL(page.url()).searchParams }
}

const hasFocus = async (page: Page, target: Locator) => {
  const element = await target.elementHandle()
  await page.waitForFunction(each => each === each?.ownerDocument.activeElement, element)
}

test('signs in', async t => {
  const page = await newPage(t)
  const { keyboard } = page
  await page.goto(`${url}/login`)
  await tabTo(page, page.getByLabel('Email'))
  await keyboard.type(shop.email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await keyboard.type(password)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
})

test('skips to the content and opens another page from the menu', async t => {
  const { page, keyboard } = await open(t, '/')
  await tabTo(page, page.getByRole('link', { name: 'Skip to content' }))
  await keyboard.press('Enter')
  await hasFocus(page, page.getByRole('main'))
  await tabTo(page, page.getByRole('navigation').getByRole('link', { name: 'Collection records' }))
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Collection records', level: 1 }).waitFor()
})

test('reads a masked number whole', async t => {
  const { page } = await open(t, '/record')
  await tabTo(page, page.getByRole('button', { name: /k-\d$/ }).first())
  // A row is one stop; arrow keys reach what else is in it.
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await hasFocus(page, page.getByRole('button', { name: 'Copy platform order number' }).first())
  assert.match((await page.getByRole('tooltip').textContent()) ?? '', /^\d{32}$/)
})

test('a row of a table is one stop of the Tab key', async t => {
  const { page, keyboard } = await open(t, '/record')
  const rows = page.getByRole('row').filter({ has: page.getByRole('button', { name: /k-\d$/ }) })
  const first = rows.first().getByRole('button')
  await tabTo(page, first.first())
  assert.ok((await first.count()) >= 4)
  await keyboard.press('Tab')
  await hasFocus(page, rows.nth(1).getByRole('button').first())
  await keyboard.press('Shift+Tab')
  await keyboard.press('ArrowRight')
  await hasFocus(page, first.nth(1))
  await keyboard.press('ArrowLeft')
  await hasFocus(page, first.first())
  // Back at a row, the focus returns to where it was.
  await keyboard.press('ArrowRight')
  await keyboard.press('Tab')
  await keyboard.press('Shift+Tab')
  await hasFocus(page, first.nth(1))
  assert.deepEqual(await faults(page), [])
})

test('filters the records', async t => {
  const { page, keyboard } = await open(t, '/record')
  await tabTo(page, page.getByLabel('Status'))
  await keyboard.press('ArrowDown')
  await page.waitForURL(/status=1/)
  await tabTo(page, page.getByRole('textbox', { name: 'Merchant order number' }))
  await keyboard.type('k-2')
  await keyboard.press('Enter')
  await page.waitForURL(/out_trade_no=k-2/)
  const range = page.getByRole('button', { name: /^Date range/ })
  await tabTo(page, range)
  await keyboard.press('Enter')
  const calendar = page.getByRole('dialog', { name: 'Date range' })
  await calendar.getByRole('grid').waitFor()
  await keyboard.press('Escape')
  await calendar.waitFor({ state: 'detached' })
  await hasFocus(page, range)
})

test('a range that began in another month colours no day without a number', async t => {
  const { page } = await open(t, '/?from=2026-02-28&to=2026-03-04')
  await page.getByRole('button', { name: /^Date range/ }).click()
  const calendar = page.getByRole('dialog', { name: 'Date range' })
  await calendar.getByRole('grid').waitFor()
  const coloured = await calendar.locator('td').evaluateAll(cells =>
    cells
      .map(cell => ({ text: cell.textContent, style: cell.ownerDocument.defaultView!.getComputedStyle(cell) }))
      .filter(({ style }) => style.visibility === 'visible' && style.backgroundColor !== 'rgba(0, 0, 0, 0)')
      .map(({ text }) => text),
  )
  assert.deepEqual(coloured, ['1', '2', '3', '4'])
})

test('opens the details of a payment and closes them with Escape', async t => {
  const { page, keyboard, address } = await open(t, '/record?out_trade_no=k-2')
  const row = page.getByRole('button', { name: /k-2$/ })
  await tabTo(page, row)
  await keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByText('k-2').waitFor()
  assert.match(address().get('trade_no') ?? '', /^\d{32}$/)
  await tabTo(page, drawer.getByRole('button', { name: 'Copy Platform order number' }))
  await keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  assert.equal(address().get('trade_no'), null)
  await hasFocus(page, row)
})

test('marks a notification as read', async t => {
  const { page, keyboard } = await open(t, '/')
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await page.getByRole('button', { name: /^Notifications, \d+ unread/ }).waitFor()
  const unread = Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? ''))
  await tabTo(page, bell)
  await keyboard.press('Enter')
  const list = page.getByRole('dialog', { name: 'Notifications' })
  const marked = page.waitForRequest(request => request.url().endsWith('/api/v1/message/read'))
  await tabTo(page, list.getByRole('listitem').first().getByRole('button'))
  await keyboard.press('Enter')
  await page.getByRole('button', { name: unread === 1 ? 'Notifications' : `${unread - 1} unread` }).waitFor()
  assert.equal((await marked).postDataJSON().message_ids.length, 1)
  await keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await hasFocus(page, bell)
})

test('changes the language', async t => {
  const { page, keyboard } = await open(t, '/record')
  const button = page.getByRole('button', { name: 'Language' })
  await tabTo(page, button)
  await keyboard.press('Enter')
  await hasFocus(page, page.getByRole('menu', { name: 'Language' }))
  await keyboard.press('Tab')
  await hasFocus(page, button)
  await keyboard.press('Enter')
  await hasFocus(page, page.getByRole('menu', { name: 'Language' }))
  await keyboard.press('ArrowDown')
  await hasFocus(page, page.getByRole('menuitemcheckbox', { name: 'English' }))
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: '收款记录', level: 1 }).waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem('language')), 'zh-CN')
})

test('opens pages, applications and payments from the command menu', async t => {
  const { page, keyboard, address } = await open(t, '/', 'zh-CN')
  const menu = page.getByRole('dialog')
  const choose = async (text: string, option: RegExp) => {
    await keyboard.press('Control+k')
    await keyboard.type(text)
    await menu.getByRole('option', { name: option, selected: true }).waitFor()
    await keyboard.press('Enter')
  }
  await keyboard.press('Control+k')
  await keyboard.type('k-')
  await menu.getByRole('option', { name: /^k-/ }).nth(1).waitFor()
  await keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await choose('k-1', /k-1/)
  const payment = page.getByRole('dialog', { name: '订单详情' })
  await payment.getByText('k-1').waitFor()
  assert.match(address().get('trade_no') ?? '', /^\d{32}$/)
  await tabTo(page, payment.getByRole('button', { name: '关闭' }))
  await keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await choose('Keys', /Keys/)
  const name = page.getByRole('dialog', { name: '应用设置' }).getByLabel('名称', { exact: true })
  await hasFocus(page, name)
  assert.equal(await name.inputValue(), 'Keys')
  await keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await choose('Keys', /Keys/)
  await hasFocus(page, name)
  await keyboard.type('boards')
  await keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: '放弃已填写的内容？' })
  await hasFocus(page, question.getByRole('button', { name: '取消' }))
  await keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  assert.match(await name.inputValue(), /boards/, 'what was typed is lost')
  await tabTo(page, name)
  await keyboard.press('Escape')
  await tabTo(page, question.getByRole('button', { name: '放弃' }))
  await keyboard.press('Enter')
  await menu.waitFor({ state: 'detached' })
  await keyboard.press('Control+k')
  await hasFocus(page, menu.getByRole('combobox'))
  await keyboard.insertText('统计')
  await menu.getByRole('option', { name: '统计概览', selected: true }).waitFor()
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: '统计概览', level: 1 }).waitFor()
})
