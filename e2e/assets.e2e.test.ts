import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newShop, takePayment } from './merchants.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })
const shop = await newShop(url, 'Holder')
const tradeNo = await takePayment(url, shop, { out_trade_no: 'a-1', amount: '40' })

test('the asset ratio is a pie with one token, too', async t => {
  const page = await newPage(t, { as: shop })
  for (const path of ['/', '/property']) {
    await page.goto(`${url}${path}`)
    const ratio = page.getByRole('region', { name: 'Asset ratio' }).getByRole('figure', { name: 'Asset ratio' })
    await ratio.getByRole('listitem').filter({ hasText: 'USDT' }).filter({ hasText: '100' }).waitFor()
    assert.equal(await ratio.getByRole('listitem').count(), 1)
    const parts = await ratio
      .locator('svg circle[stroke-dasharray]')
      .evaluateAll(circles => circles.map(circle => Number.parseFloat(circle.getAttribute('stroke-dasharray')!)))
    assert.deepEqual(parts, [1], `${path}: the ring is one whole part`)
  }
})

test('the way back to the assets is shown to who came from there', async t => {
  const page = await newPage(t, { as: shop })
  const back = page.getByRole('link', { name: 'Back to assets' })
  const menu = page.getByRole('navigation')
  // Opened by its address, and from another page.
  await page.goto(`${url}/withdraw`)
  await page.getByRole('heading', { name: 'Withdraw', level: 1 }).waitFor()
  assert.equal(await back.count(), 0)
  await menu.getByRole('link', { name: 'Collection records' }).click()
  await page.getByRole('heading', { name: 'Collection records', level: 1 }).waitFor()
  await menu.getByRole('link', { name: 'Withdraw', exact: true }).click()
  await page.getByRole('heading', { name: 'Withdraw', level: 1 }).waitFor()
  assert.equal(await back.count(), 0)
  // From the assets, also once the address has changed.
  await menu.getByRole('link', { name: 'Assets' }).click()
  const row = page.getByRole('row').filter({ hasText: 'USDT' }).filter({ hasText: 'Ethereum' })
  await row.getByRole('link', { name: 'Withdraw USDT on Ethereum' }).click()
  await back.waitFor()
  await page.getByLabel('Amount', { exact: true }).fill('5')
  await page.getByText('Actual amount received').waitFor()
  await back.click()
  await page.getByRole('heading', { name: 'Assets', level: 1 }).waitFor()
})

test('who cannot copy is never told to select what a mask leaves out', async t => {
  const page = await newPage(t, { as: shop })
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('refused')) } })
  })
  const said = page.getByText(/Could not copy/)
  await page.goto(`${url}/record`)
  const table = page.getByRole('table', { name: 'Payment records' })
  assert.equal(await table.getByText(tradeNo).count(), 0)
  await table.getByRole('button', { name: 'Copy platform order number' }).click()
  await said.waitFor()
  assert.equal(await said.textContent(), `Could not copy. Select it here: ${tradeNo}`)
  // What stands there whole can be selected there.
  await page.goto(`${url}/record?trade_no=${tradeNo}`)
  const details = page.getByRole('dialog', { name: 'Payment' })
  await details.getByText(tradeNo).first().waitFor()
  await details.getByRole('button', { name: 'Copy platform order number' }).first().click()
  await said.waitFor()
  assert.match((await said.textContent())!, /select the text/)
})
