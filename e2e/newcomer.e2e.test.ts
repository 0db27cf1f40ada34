import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { phone } from '@coffer/local/testing/browser.ts'
import type { Page } from 'playwright-core'
import { newEmail, password } from './merchants.ts'
import { assertAccessible, fillCode, register } from './steps.ts'
import { withWorld } from './world.ts'

const run = promisify(execFile)
const { url, newPage } = await withWorld({ after })

/** Registers from the printed address, without opening the inbox. */
async function registerByHand(page: Page): Promise<void> {
  await page.goto(url)
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Create account' }).waitFor()
  await page.getByLabel('Email').fill(newEmail('seller'))
  await page.getByRole('button', { name: 'Send code' }).click()
  const inbox = page.getByRole('link', { name: 'Filled in from the sandbox inbox' })
  assert.equal(await inbox.getAttribute('href'), '/sandbox#inbox')
  assert.match(await page.getByLabel('Verification code').inputValue(), /^\d{6}$/)
  await assertAccessible(page)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
}

/** Submits the request and approves it on the page that waits for it. */
async function permit(page: Page): Promise<void> {
  await page.getByLabel('Merchant name').fill(`Seller ${Date.now()} Ltd`)
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('Merchant permission is open.').waitFor()
}

test('a newcomer is paid by a link, on pages that lead to each other', async t => {
  const page = await newPage(t)
  await registerByHand(page)
  await page.getByRole('link', { name: 'Open permission' }).waitFor()
  // Without permission, too, the dashboard has all its parts.
  for (const part of ['First steps', 'Overview', 'Payments', 'Market', 'Latest payments', 'Asset ratio'])
    await page.getByRole('region', { name: part, exact: true }).waitFor()
  await page.getByRole('region', { name: 'Payments' }).getByText('No payments in this range').waitFor()
  // One element asks, not three.
  assert.equal(await page.getByRole('link', { name: /merchant permission|Open permission/ }).count(), 1)
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Open permission' }).click()
  await permit(page)
  await page.getByRole('main').getByRole('link', { name: 'Collect', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'New payment link' })
  await form.getByLabel('Title').fill('Bread')
  await form.getByLabel(/^Amount/).fill('4')
  await form.getByRole('button', { name: 'New link' }).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('dialog', { name: 'Payment link' }).getByRole('link', { name: /\/l\// }).click()
  const link = await opened
  await link.getByRole('button', { name: 'Continue to payment' }).click()
  const pays = link.getByRole('button', { name: 'Pay from the test wallet' })
  await pays.waitFor()
  await assertAccessible(link)
  await pays.click()
  await link.getByRole('heading', { name: 'Payment received' }).waitFor()
  assert.equal(await pays.isVisible(), false)
  await page.goto(url)
  const latest = page.getByRole('region', { name: 'Latest payments' }).getByRole('listitem')
  await latest.filter({ hasText: /\+4\.00\s*USDT/ }).waitFor()
  assert.equal(await page.getByRole('region', { name: 'First steps' }).isVisible(), false)
})

test('a newcomer is paid at the counter of a phone', async t => {
  const page = await newPage(t, phone)
  await registerByHand(page)
  await page.getByRole('link', { name: 'Open merchant permission' }).click()
  await permit(page)
  await page.getByRole('main').getByRole('link', { name: 'Collect', exact: true }).click()
  await page.getByRole('button', { name: '4', exact: true }).click()
  await page.getByRole('button', { name: /^Collect / }).click()
  const pays = page.getByRole('button', { name: 'Pay from the test wallet' })
  await pays.waitFor()
  await assertAccessible(page)
  await pays.click()
  await page.getByText('Paid', { exact: true }).waitFor()
})

test('a newcomer creates an application, and its command is paid', async t => {
  const page = await newPage(t)
  const email = newEmail('newcomer')
  await register(page, url, email)
  const strip = page.getByRole('region', { name: 'Test mode' })
  for (const [name, place] of Object.entries({ Wallet: 'wallet', Inbox: 'inbox', Approval: 'approval' }))
    assert.equal(await strip.getByRole('link', { name }).getAttribute('href'), `/sandbox#${place}`)
  await page.getByRole('link', { name: 'Open permission' }).click()
  await permit(page)

  // The link opens the form.
  await page.getByRole('link', { name: 'Create application' }).click()
  const form = page.getByRole('dialog', { name: 'Create application' })
  await form.getByLabel('Name', { exact: true }).fill('First shop')
  assert.equal(await form.getByLabel('Notify URL').isVisible(), true)
  assert.equal(await form.getByLabel('Tolerance').isVisible(), false)
  await form.getByText('More settings').click()
  assert.equal(await form.getByLabel('Tolerance').isVisible(), true)
  await fillCode(form, url, email)
  assert.equal(await form.getByRole('link', { name: 'Open the sandbox inbox' }).getAttribute('href'), '/sandbox#inbox')
  await form.getByRole('button', { name: 'Create application' }).click()

  // The command of the next step works as it stands.
  const secrets = page.getByRole('dialog', { name: 'Save these secrets now' })
  const command = await secrets.getByRole('region', { name: 'Command' }).textContent()
  const { stdout } = await run('sh', ['-c', command ?? ''])
  const { pay_url } = JSON.parse(stdout).data
  assert.equal(new URL(pay_url).origin, url)

  // The wallet's page pays another amount.
  await page.goto(pay_url)
  const wallet = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Another amount' }).click()
  await (await wallet).getByRole('button', { name: 'Pay', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
})
