import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import type { Locator } from 'playwright-core'
import { newShop } from './merchants.ts'
import { assertAccessible } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

/** Types key by key, as a person does. */
async function type(field: Locator, text: string): Promise<void> {
  await field.fill('')
  await field.pressSequentially(text)
}

test('a comma of thousands makes no link for one, no limit of ten and no payment of 1.50', async t => {
  const shop = await newShop(url, 'Thousands')
  const page = await newPage(t, { as: shop })
  await page.goto(`${url}/collect`)
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const form = page.getByRole('dialog', { name: 'New payment link' })
  await form.getByLabel('Title').fill('Laptop')
  const amount = form.getByLabel(/^Amount/)
  for (const text of ['1,500', '1.500', '１，５００']) {
    await type(amount, text)
    assert.equal(await amount.inputValue(), text)
    await form.getByRole('button', { name: 'Create link' }).click()
    await form.getByText(`“${text}” may mean 1500 or 1.5. Enter one of them.`).waitFor()
  }
  await assertAccessible(page)
  await type(amount, '1,500.00')
  await form.getByText('Read as 1,500.00').waitFor()
  await form.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('dialog', { name: 'Payment link' }).getByText('1,500.00 USDT').first().waitFor()

  await page.goto(`${url}/property/WithdrawSetting`)
  await page.getByRole('switch', { name: 'Per-withdrawal limit' }).check()
  await type(page.getByLabel('Limit in USDT'), '10,000')
  await page.getByText('“10,000” may mean 10000 or 10. Enter one of them.').waitFor()
  await page.getByRole('switch', { name: 'Per-withdrawal limit' }).uncheck()
  await page.getByRole('button', { name: 'Add a limit' }).click()
  await type(page.getByLabel('Limit in USDT'), '10,000')
  await page.getByText('“10,000” may mean 10000 or 10. Enter one of them.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter a period of at most 366 days and a limit for each.').waitFor()
  await assertAccessible(page)
})

test('a payer who enters the amount, and a cashier, are asked what a comma means', async t => {
  const shop = await newShop(url, 'Open')
  const { url: link } = await shop.coffer.createLink({ title: 'Donation' })
  const payer = await newPage(t)
  await payer.goto(link)
  await type(payer.getByLabel(/^Amount/), '1,000')
  await payer.getByText('“1,000” may mean 1000 or 1. Enter one of them.').waitFor()
  await payer.getByRole('button', { name: 'Continue to payment' }).click()
  await payer.getByRole('alert').filter({ hasText: 'may mean 1000 or 1' }).waitFor()
  await assertAccessible(payer)
  await type(payer.getByLabel(/^Amount/), '7,5')
  await payer.getByText('Read as 7.50').waitFor()
  await payer.getByRole('button', { name: 'Continue to payment' }).click()
  await payer.waitForURL(/\/pay\/\d{32}$/)
  await payer.getByText(/7\.50/).first().waitFor()

  const page = await newPage(t, { as: shop, ...phone })
  await page.goto(`${url}/m/collect`)
  await page.getByRole('button', { name: '1', exact: true }).click()
  await page.keyboard.type(',000')
  await page.getByText('“1,000” may mean 1000 or 1. Enter one of them.').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Collect', exact: true }).isDisabled())
  await page.keyboard.type('.5')
  await page.getByRole('button', { name: 'Collect 1,000.50 USDT' }).waitFor()
})
