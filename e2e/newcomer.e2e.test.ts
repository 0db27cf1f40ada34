import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { codeSentTo, newEmail } from './merchants.ts'
import { fillCode, openPermission, register } from './steps.ts'
import { withWorld } from './world.ts'

const run = promisify(execFile)
const { url, newPage } = await withWorld({ after })

test('a newcomer is paid by a link, without a shell', async t => {
  const page = await newPage(t)
  const context = page.context()
  const email = newEmail('seller')
  await register(page, url, email)
  await page.getByRole('link', { name: 'Open permission' }).waitFor()
  // Without permission, too, the dashboard has all its parts.
  for (const part of ['First steps', 'Overview', 'Payments', 'Market', 'Latest payments', 'Asset ratio'])
    await page.getByRole('region', { name: part, exact: true }).waitFor()
  await page.getByRole('region', { name: 'Payments' }).getByText('No payments in this range').waitFor()
  // One element asks, not three.
  assert.equal(await page.getByRole('link', { name: /merchant permission|Open permission/ }).count(), 1)
  await openPermission(page, url, `Seller ${Date.now()} Ltd`)
  await page.goto(url)
  await page.getByRole('main').getByRole('link', { name: 'Collect', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'New payment link' })
  await form.getByLabel('Title').fill('Bread')
  await form.getByLabel(/^Amount/).fill('4')
  await form.getByRole('button', { name: 'New link' }).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('dialog', { name: 'Payment link' }).getByRole('link', { name: /\/l\// }).click()
  const link = await opened
  await link.getByRole('button', { name: 'Continue to payment' }).click()
  const wallet = context.waitForEvent('page')
  await link.getByRole('link', { name: 'Pay from the test wallet' }).click()
  await (await wallet).getByRole('button', { name: 'Pay', exact: true }).first().click()
  await link.getByRole('heading', { name: 'Payment received' }).waitFor()
})

test('a newcomer gets from nothing to a paid order by following links', async t => {
  const page = await newPage(t)
  const context = page.context()
  const [email, name] = [newEmail('newcomer'), `Newcomer ${Date.now()} Ltd`]
  await register(page, url, email)
  const strip = page.getByRole('region', { name: 'Test mode' })
  for (const [name, place] of Object.entries({ Wallet: 'wallet', Inbox: 'inbox', Approval: 'approval' }))
    assert.equal(await strip.getByRole('link', { name }).getAttribute('href'), `/sandbox#${place}`)

  await page.getByRole('link', { name: 'Open permission' }).click()
  await page.getByLabel('Merchant name').fill(name)
  await page.getByRole('button', { name: 'Submit for review' }).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Approve in the sandbox' }).click()
  const sandbox = await opened
  await sandbox
    .getByRole('listitem')
    .filter({ hasText: name })
    .getByRole('button', { name: 'Approve', exact: true })
    .click()
  await sandbox.getByText('Approved.').waitFor()

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
  await sandbox
    .locator('#inbox')
    .getByText(await codeSentTo(url, email), { exact: true })
    .waitFor()
  await form.getByRole('button', { name: 'Create application' }).click()

  // The command of the next step works as it stands.
  const secrets = page.getByRole('dialog', { name: 'Save these secrets now' })
  const command = await secrets.getByRole('region', { name: 'Command' }).textContent()
  const { stdout } = await run('sh', ['-c', command ?? ''])
  const { pay_url } = JSON.parse(stdout).data
  assert.equal(new URL(pay_url).origin, url)

  const checkout = await context.newPage()
  await checkout.goto(pay_url)
  const wallet = context.waitForEvent('page')
  await checkout.getByRole('link', { name: 'Pay from the test wallet' }).click()
  await (await wallet).getByRole('button', { name: 'Pay', exact: true }).first().click()
  await checkout.getByRole('heading', { name: 'Payment received' }).waitFor()
})
