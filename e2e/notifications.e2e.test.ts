import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import { newMerchant } from './merchants.ts'
import { expenses, writeNews, writePayments } from './news.ts'
import { withWorld } from './world.ts'

const large = { width: 1440, height: 900 }

const { url, sandbox, newPage } = await withWorld({ after })

test('notifications: load ten at a time, are marked read in one batch, and revert when that fails', async t => {
  const merchant = await newMerchant(url, 'Reader')
  await writeNews(sandbox, merchant)
  const page = await newPage(t, { as: merchant })
  const bodies: unknown[][] = []
  let broken = false
  await page.route('**/api/v1/message/read', async route => {
    bodies.push(route.request().postDataJSON().message_ids)
    await (broken ? route.fulfill({ status: 422, json: { code: 1, msg: 'not today' } }) : route.continue())
  })
  await page.goto(url)
  const bell = page.getByRole('button', { name: /^Notifications/ })
  const unread = async (count: number) => page.getByRole('button', { name: `Notifications, ${count} unread` }).waitFor()
  await page.getByRole('button', { name: /^Notifications, \d+ unread/ }).click()
  const before = Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? ''))
  const list = page.getByRole('dialog', { name: 'Notifications' })
  const items = list.getByRole('listitem')
  await items.nth(9).waitFor()
  const box = items.first().locator('../../..')
  assert.equal((await box.boundingBox())?.height, 465)
  await page.setViewportSize({ width: 844, height: 390 })
  await page.waitForFunction(list => list && list.getBoundingClientRect().bottom <= 390, await box.elementHandle())
  await page.setViewportSize(large)

  const marked = page.waitForResponse('**/api/v1/message/read')
  await items.nth(0).getByRole('button').click()
  await unread(before - 1)
  await items.nth(1).getByRole('button').click()
  await unread(before - 2)
  assert.equal(bodies.length, 0)
  await marked
  assert.deepEqual(
    bodies.map(ids => ids.length),
    [2],
  )

  broken = true
  await items.nth(2).getByRole('button').click()
  await unread(before - 3)
  await page.getByText('not today').first().waitFor()
  await unread(before - 2)
  broken = false

  const end = list.getByText('It is all, nothing more')
  await until('the end of the list is visible', async () => {
    await items.last().scrollIntoViewIfNeeded()
    return end.isVisible()
  })
  // Marking reads the first page again for the server's event, and none of the others.
  const lists: string[] = []
  page.on('request', request => /\/api\/v1\/message\?current/.test(request.url()) && lists.push(request.url()))
  const signIn = items.filter({ hasText: '203.0.113.7' })
  await signIn.getByRole('button').click()
  for (const detail of ['203.0.113.7', 'Firefox on Linux', 'Private network'])
    await signIn.getByText(detail, { exact: true }).waitFor()
  await until('the first page is read again', () => lists.length > 0)

  await list.getByRole('button', { name: 'Read all' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  assert.deepEqual(bodies.at(-1), [-1])
  await until('it is read again', () => lists.length > 1)
  assert.ok(lists[1]?.includes('current=1&'), lists.join(' '))
})

test('notifications: the payments of a busy shop neither raise the bell nor hide what should be read', async t => {
  const merchant = await newMerchant(url, 'Busy')
  await writePayments(sandbox, merchant, 120)
  const page = await newPage(t, { as: merchant })
  await page.goto(url)
  await page.getByRole('button', { name: /^Notifications, \d unread/ }).click()
  const list = page.getByRole('dialog', { name: 'Notifications' })
  await list.getByRole('listitem').first().waitFor()
  assert.equal(await list.getByText('Payment received').count(), 0)
  await list.getByRole('tab', { name: 'Money moved 99+' }).click()
  await list.getByText('3.00 USDT on Ethereum for order p-0.').waitFor()
  await list.getByLabel('Count these in the bell').check()
  await page.getByRole('button', { name: 'Notifications, 99+ unread' }).waitFor()
  await list.getByLabel('Count these in the bell').uncheck()
  await list.getByRole('tab', { name: /^Notices/ }).click()
  await list.getByRole('button', { name: 'Read all' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
})

test('expense details: lead to the gas-expenditure history', async t => {
  const merchant = await newMerchant(url, 'Gas')
  await writeNews(sandbox, merchant)
  const page = await newPage(t, { as: merchant })
  await page.goto(url)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('tab', { name: 'Money moved' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Fund aggregation' }).getByRole('button').click()
  const details = page.getByRole('dialog', { name: 'Expense details' })
  await details.getByText(/^0\.002/).waitFor()
  await details.getByRole('button', { name: 'View all' }).click()
  const history = page.getByRole('dialog', { name: 'Gas expenditure history' })
  await history.getByText(`${expenses} entries`).waitFor()
  assert.equal(await history.getByRole('row').count(), 1 + 10)
  await history.getByLabel('Network').selectOption('bsc')
  await history.getByText('No gas expenses in this range').waitFor()
  await page.keyboard.press('Escape')
  await history.waitFor({ state: 'detached' })
})
