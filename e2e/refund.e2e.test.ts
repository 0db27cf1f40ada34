import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import type { Locator, Page } from 'playwright-core'
import { newShop, takePayment } from './merchants.ts'
import { assertAccessible, fillCode } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

const payer = '0x00000000000000000000000000000000000000bb'

/** Refunds the surplus in an open form, after what the form refuses. */
async function refundSurplus(page: Page, form: Locator, shop: { email: string }): Promise<void> {
  await form.getByRole('tab', { name: 'Surplus' }).waitFor()
  await form.getByText('Taken from the balance').waitFor()
  await form.getByRole('button', { name: 'Refund', exact: true }).click()
  await form.getByText('This field is required').waitFor()
  // Characters that are not seen are removed in view.
  await form.getByLabel('Receiving address').fill('\u202e0x12\u202c')
  await page.getByRole('alert').or(page.getByRole('status')).getByText('Invisible characters were removed').waitFor()
  assert.equal(await form.getByLabel('Receiving address').inputValue(), '0x12')
  await form.getByLabel('Reason').fill('Paid too much')
  await fillCode(form, url, shop.email)
  await form.getByRole('button', { name: 'Refund', exact: true }).click()
  await form.getByText('The address format does not match the selected chain').waitFor()
  await assertAccessible(page)
  await form.getByLabel('Receiving address').fill(payer)
  await form.getByRole('button', { name: 'Refund', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
}

/** Opens the page of a refund link on a phone, which at first cannot load it. */
async function openClaim(t: TestContext, link: string): Promise<Page> {
  const claim = await newPage(t, phone)
  // A page that was not loaded says nothing about the link.
  await claim.route(/refund-claim$/, route => route.abort())
  await claim.goto(`${url}${new URL(link).pathname}`)
  await claim.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
  await claim.unroute(/refund-claim$/)
  await claim.getByRole('button', { name: 'Try again' }).click()
  await claim.getByRole('heading', { name: 'Your refund' }).waitFor()
  return claim
}

/** Enters the payer's address, after one that is refused. */
async function enterAddress(claim: Page): Promise<void> {
  await claim.getByLabel('Your address').fill('\u20660x12')
  await claim.getByRole('alert').getByText('Invisible characters were removed').waitFor()
  await claim.getByRole('button', { name: 'Continue' }).click()
  await claim.getByRole('alert').getByText('The address format does not match').waitFor()
  assert.equal(await claim.locator('input[aria-invalid=true]').getAttribute('aria-describedby'), 'address-error')
  assert.equal(await claim.getByText('transfers cannot be reversed').count(), 0, 'the error stands where the hint was')
  await claim.getByLabel('Your address').fill(payer)
  await claim.getByRole('button', { name: 'Continue' }).click()
  // Each step is read from its heading on.
  await claim.locator('h2:focus', { hasText: 'Check the details before it is sent' }).waitFor()
  await assertAccessible(claim)
}

/** Sends the refund, which a second page of the link cannot send again to another address. */
async function sendTwice(t: TestContext, claim: Page): Promise<void> {
  // Another page of the link, which has not heard that it was claimed.
  const late = await newPage(t, phone)
  await late.goto(claim.url())
  await late.getByLabel('Your address').fill('0x8ba1f109551bd432803012645ac136ddd64dba72')
  await late.getByRole('button', { name: 'Continue' }).click()
  const again = late.getByRole('button', { name: 'Send to this address' })
  await again.waitFor()
  await late.route(/refund-claim$/, route => route.abort())
  await claim.getByRole('button', { name: 'Send to this address' }).click()
  await claim.getByRole('heading', { name: 'Your refund', exact: true }).waitFor({ state: 'detached' })
  await late.unroute(/refund-claim$/)
  await again.click()
  await late.getByRole('heading', { name: 'Your refund', exact: true }).waitFor({ state: 'detached' })
  assert.equal(await late.getByRole('button', { name: 'Continue' }).count(), 0)
  await claim.locator('h1:focus', { hasText: 'Your refund has arrived' }).waitFor({ timeout: 120_000 })
  await assertAccessible(claim)
}

test('gives a surplus back from the details of a payment, and the rest by a link', async t => {
  const shop = await newShop(url, 'Giver')
  const page = await newPage(t, { as: shop })
  await page.goto(`${url}/record/refund`)
  await page.getByText('No refunds yet').waitFor()
  const tradeNo = await takePayment(url, shop, { out_trade_no: 'r-1', amount: '50', sent: '65' })
  await page.goto(`${url}/record?trade_no=${tradeNo}`)
  const details = page.getByRole('dialog', { name: 'Payment' })
  await details.getByRole('button', { name: 'Refund' }).click()
  const form = page.getByRole('dialog', { name: 'Refund this payment' })
  await refundSurplus(page, form, shop)
  await details.getByText('Refund started').waitFor()
  await assertAccessible(page)
  await page.goto(`${url}/record/refund`)
  const row = page.getByRole('row', { name: /r-1/ })
  // The deposit is swept to the hot wallet, the refund paid from there, and the record follows without a reload.
  await row.getByText('Accomplished').waitFor({ timeout: 120_000 })
  await page.goto(`${url}/record?trade_no=${tradeNo}`)
  await details.getByText('Refund finished').waitFor()
  await details.getByText('Account paid').first().waitFor()

  // The rest by a link, which the payer opens on a phone.
  await details.getByRole('button', { name: 'Refund' }).click()
  // The fee was taken from the balance, so that not all can be given back.
  await form.getByRole('tab', { name: 'Partial' }).click()
  await form.getByLabel('Amount').fill('20')
  await form.getByRole('tab', { name: 'By link' }).click()
  await fillCode(form, url, shop.email)
  // The message of the code stands beside the dialog.
  const toast = await page.locator('[data-toasts] > div').first().boundingBox()
  const box = await form.boundingBox()
  assert.ok(toast && box && toast.x + toast.width <= box.x)
  await form.getByRole('button', { name: 'Create link' }).click()
  await form.waitFor({ state: 'hidden' })
  const link = await details
    .getByRole('region', { name: 'Refund link' })
    .getByText(/\/refund\//)
    .textContent()
  await assertAccessible(page)
  // What ends the payer's link is confirmed first.
  await details.getByRole('button', { name: 'Cancel the link' }).click()
  await page.getByText('Nothing was taken from your balance').waitFor()
  await page.getByRole('button', { name: 'Keep link' }).click()
  await details.getByRole('button', { name: 'Cancel the link' }).waitFor()
  const claim = await openClaim(t, link!)
  await enterAddress(claim)
  await sendTwice(t, claim)
  await claim.getByRole('button', { name: '简体中文' }).click()
  await claim.getByRole('heading', { name: '退款已到账' }).waitFor()
  await details.getByText('Refund finished').nth(1).waitFor()

  // On a phone a movement names the held account as a fact of its own, and the button of the filters that it is found
  // by is coloured.
  const flow = await newPage(t, { as: shop, ...phone })
  await flow.goto(`${url}/m/property/fundingDetails?account=held`)
  await flow.getByRole('listitem').getByText('Reserved balance', { exact: true }).first().waitFor()
  const color = (name: string) =>
    flow.getByRole('button', { name }).evaluate(each => each.ownerDocument.defaultView!.getComputedStyle(each).color)
  assert.match(await color('Export'), /./)
  assert.notEqual(await color('Filters'), await color('Export'))
})
