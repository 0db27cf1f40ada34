import assert from 'node:assert/strict'
import { after, test } from 'node:test'
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
