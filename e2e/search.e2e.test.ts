import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import { newShop, takePayment } from './merchants.ts'
import { assertAccessible } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

test('one box finds payments by all that is known of them, and nothing moves', async t => {
  const shop = await newShop(url, 'Finder')
  const tradeNo = await takePayment(url, shop, { out_trade_no: 'tea-1', amount: '29.9' })
  await shop.coffer.createOrder({ out_trade_no: 'cup-2', amount: '12', currency: 'EUR', subject: 'Green tea 250 g' })
  const { deposits } = await shop.coffer.getOrder(tradeNo)
  const page = await newPage(t, { as: shop })
  await page.goto(`${url}/record`)
  const table = page.getByRole('table', { name: 'Payment records' })
  await table.getByText('cup-2').waitFor()
  const top = async () => (await table.boundingBox())!.y
  const before = await top()
  const box = page.getByRole('searchbox', { name: /^Search by number/ })
  const { txid, to_address } = deposits[0]!
  for (const [texts, one, other] of [
    [['tea-1', tradeNo.slice(0, 20), '29.90', txid, to_address], 'tea-1', 'cup-2'],
    [['green', '250 g', '12.00 EUR'], 'cup-2', 'tea-1'],
  ] as const)
    for (const text of texts) {
      await box.fill(text)
      await box.press('Enter')
      await table.getByText(one).waitFor()
      await table.getByText(other).waitFor({ state: 'detached' })
      assert.equal(await top(), before, text)
    }
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await table.getByText('tea-1').waitFor()
  await page.getByLabel('Merchant order number (exact)').fill('tea')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing matches these filters').waitFor()
})

test('a phone has the box in view, and not again among its filters', async t => {
  const shop = await newShop(url, 'Finder')
  await shop.coffer.createOrder({ out_trade_no: 'mug-1', amount: '8', currency: 'USDT', subject: 'Blue mug' })
  await shop.coffer.createOrder({ out_trade_no: 'cup-2', amount: '9', currency: 'USDT', subject: 'White cup' })
  const page = await newPage(t, { as: shop, ...phone })
  await page.goto(`${url}/m/record`)
  const list = page.getByRole('region', { name: 'Payment records' })
  await list.getByText('cup-2').waitFor()
  const box = page.getByRole('searchbox', { name: /^Search by number/ })
  const { y, height } = (await box.boundingBox())!
  assert(y + height < page.viewportSize()!.height / 4, 'the box is at the top')
  for (const [text, one, other] of [
    ['blue', 'mug-1', 'cup-2'],
    ['cup-', 'cup-2', 'mug-1'],
  ] as const) {
    await box.fill(text)
    await box.press('Enter')
    await list.getByText(one).waitFor()
    await list.getByText(other).waitFor({ state: 'detached' })
  }
  // The box shows what it finds by itself: the button of the filters is coloured by those in their sheet alone.
  const color = () =>
    page
      .getByRole('button', { name: 'Filters' })
      .evaluate(each => each.ownerDocument.defaultView!.getComputedStyle(each).color)
  const searched = await color()
  await box.fill('')
  await box.press('Enter')
  await list.getByText('mug-1').waitFor()
  assert.equal(searched, await color())
  await box.fill('cup-')
  await box.press('Enter')
  await list.getByText('mug-1').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByLabel('Merchant order number (exact)').waitFor()
  assert.equal(await sheet.getByLabel(/^Search by number/).count(), 0)
  // What is searched for stays when another filter is applied.
  await sheet.getByRole('button', { name: 'Show results' }).click()
  await sheet.waitFor({ state: 'detached' })
  assert.equal(await box.inputValue(), 'cup-')
  await assertAccessible(page)
})

for (const [device, path, options] of [
  ['desktop', '/record', {}],
  ['phone', '/m/record', phone],
] as const)
  test(`a ${device} says that more payments match than it lists`, async t => {
    const shop = await newShop(url, 'Finder')
    await shop.coffer.createOrder({ out_trade_no: 'mug-1', amount: '8', currency: 'USDT', subject: 'Blue mug' })
    const page = await newPage(t, { as: shop, ...options })
    await page.route('**/api/v1/transactions/list?*text=*', async route => {
      const response = await route.fetch()
      const { data, ...answer } = await response.json()
      await route.fulfill({ response, json: { ...answer, data: { ...data, truncated: true } } })
    })
    await page.goto(`${url}${path}`)
    await page.getByText('mug-1').first().waitFor()
    const note = page.getByText('More payments match than are listed.')
    assert.equal(await note.count(), 0)
    const box = page.getByRole('searchbox', { name: /^Search by number/ })
    await box.fill('mug')
    await box.press('Enter')
    await note.waitFor()
  })
