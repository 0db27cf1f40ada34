import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import type { Locator } from 'playwright-core'
import { newShop, takePayment } from './merchants.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })
const shop = await newShop(url, 'Dialogs')
const tradeNo = await takePayment(url, shop, { out_trade_no: 'd-1', amount: '50', sent: '65' })

/** Fails unless a field can be pressed where it stands, without scrolling. */
async function assertInView(field: Locator, where: string): Promise<void> {
  await field.waitFor()
  const seen = await field.evaluate(element => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return [y + 1, y + height - 1].every(at =>
      element.contains(element.ownerDocument.elementFromPoint(x + width / 2, at)),
    )
  })
  assert.ok(seen, where)
}

for (const [device, options, root] of [
  ['a desktop of 900 px', {}, ''],
  ['a phone', phone, '/m'],
] as const)
  test(`the code of a dialog is in view as long as its button is, on ${device}`, async t => {
    const page = await newPage(t, { ...options, as: shop })
    await page.goto(`${url}${root}/record?trade_no=${tradeNo}`)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const refund = page.getByRole('dialog', { name: 'Refund this payment' })
    await refund.getByText('Taken from the balance').waitFor()
    await refund.getByRole('tab', { name: 'Partial' }).click()
    await assertInView(refund.getByLabel('Email code'), 'refund')

    await page.goto(`${url}${root}/appManage`)
    await page.getByRole('button', { name: 'Create application' }).first().click()
    const settings = page.getByRole('dialog', { name: 'Create application' })
    await settings.getByText('More settings').click()
    await settings.getByLabel('Tolerance').waitFor()
    await assertInView(settings.getByLabel('Email code'), 'settings')
    // A field at the end of the form is not covered by it.
    const last = settings.getByLabel('Remark')
    await last.focus()
    await assertInView(last, 'the last field')
  })

test('the details of a payment begin with its actions, and end with the chain', async t => {
  const page = await newPage(t, { as: shop })
  await page.goto(`${url}/record?trade_no=${tradeNo}`)
  const details = page.getByRole('dialog', { name: 'Payment' })
  for (const name of ['Refund', 'Mark as invalid']) await assertInView(details.getByRole('button', { name }), name)
  const parts = await details.getByRole('heading', { level: 3 }).allTextContents()
  assert.deepEqual(parts, ['Order', 'Amounts', 'History', 'Callbacks', 'Chain confirmations'])
  const before = await details.evaluate(element => {
    const button = [...element.querySelectorAll('button')].find(each => each.textContent === 'Refund')
    return Boolean(button && button.compareDocumentPosition(element.querySelector('h3')!) & 4)
  })
  assert.ok(before, 'actions come first')
})
