import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { phone } from '@coffer/local/testing/browser.ts'
import { until } from '@coffer/local/testing/until.ts'
import { newEmail } from './merchants.ts'
import { assertAccessible, fillCode, register, requestPermission } from './steps.ts'
import { withWorld } from './world.ts'

const run = promisify(execFile)
const { url, newPage } = await withWorld({ after })

test('a newcomer is paid by a link, on pages that lead to each other', async t => {
  const page = await newPage(t)
  await register(page, url, newEmail('seller'))
  await page.getByRole('link', { name: 'Open permission' }).waitFor()
  // Without permission, too, the dashboard has all its parts.
  for (const part of ['Getting started', 'Overview', 'Payments', 'Market', 'Latest payments', 'Asset ratio'])
    await page.getByRole('region', { name: part, exact: true }).waitFor()
  await page.getByRole('region', { name: 'Payments' }).getByText('No payments in this range').waitFor()
  // One element asks, not three.
  assert.equal(await page.getByRole('link', { name: /merchant permission|Open permission/ }).count(), 1)
  await assertAccessible(page)
  await page.getByRole('link', { name: 'Open permission' }).click()
  await requestPermission(page, `Seller ${Date.now()} Ltd`)
  await page.getByRole('main').getByRole('link', { name: 'Collect', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'New payment link' })
  await form.getByLabel('Title').fill('Bread')
  await form.getByLabel(/^Amount/).fill('4')
  await form.getByRole('button', { name: 'Create link' }).click()
  const created = page.getByRole('dialog', { name: 'Payment link' })
  const copy = created.getByRole('button', { name: 'Copy link', exact: true })
  await until('copying is the first action', () => copy.evaluate(each => each === each.ownerDocument.activeElement))
  assert.equal(new URL(page.url()).search, '', 'a reload opens no form')
  const opened = page.context().waitForEvent('page')
  await page.getByRole('dialog', { name: 'Payment link' }).getByRole('link', { name: /\/l\// }).click()
  const link = await opened
  // The amount is known, so that the checkout opens by itself, and its way back does not lead here again.
  await link.waitForURL(/\/pay\/\d{32}/)
  const pays = link.getByRole('button', { name: 'Pay from the test wallet' })
  await pays.waitFor()
  await assertAccessible(link)
  await pays.click()
  await link.getByRole('heading', { name: 'Payment received' }).waitFor()
  await page.reload()
  await page.getByRole('row', { name: /Bread/ }).waitFor()
  assert.equal(await page.getByRole('dialog').isVisible(), false)
  await page.goto(url)
  const latest = page.getByRole('region', { name: 'Latest payments' }).getByRole('listitem')
  await latest.filter({ hasText: /\+4\.00\s*USDT/ }).waitFor()
  // Of the four steps that /initPage has, too, the third is left.
  const titles = page.getByRole('region', { name: 'Getting started' }).getByRole('heading', { level: 3 })
  const steps = (await titles.allTextContents()).map(title => title.replace(/ \((Done|To do)\)$/, ''))
  assert.equal(await titles.filter({ hasText: '(Done)' }).count(), 2)
  await page.goto(`${url}/initPage`)
  for (const [index, title] of steps.entries())
    await page.getByRole('main').getByRole('listitem').nth(index).getByText(title, { exact: true }).waitFor()
})

test('a newcomer is paid at the counter of a phone', async t => {
  const page = await newPage(t, phone)
  await register(page, url, newEmail('seller'), 'Merchant permission')
  await page.getByRole('link', { name: 'Open merchant permission' }).click()
  await requestPermission(page, `Seller ${Date.now()} Ltd`)
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
  await requestPermission(page, `Seller ${Date.now()} Ltd`)

  // The link opens the form.
  await page.getByRole('link', { name: 'Create application' }).click()
  const form = page.getByRole('dialog', { name: 'Create application' })
  await form.getByLabel('Name', { exact: true }).fill('First shop')
  assert.equal(await form.getByLabel('Notify URL').isVisible(), true)
  assert.equal(await form.getByLabel('Tolerance').isVisible(), false)
  await form.getByText('More settings').click()
  assert.equal(await form.getByLabel('Tolerance').isVisible(), true)
  await fillCode(form, url, email)
  assert.equal(await form.getByRole('link', { name: 'Filled in from' }).getAttribute('href'), '/sandbox#inbox')
  await form.getByRole('button', { name: 'Create application' }).click()

  // The command of the next step works as it stands.
  const secrets = page.getByRole('dialog', { name: 'Save these secrets now' })
  const command = await secrets.getByRole('region', { name: 'Command' }).textContent()
  const { stdout } = await run('sh', ['-c', command ?? ''])
  const { pay_url } = JSON.parse(stdout).data
  assert.equal(new URL(pay_url).origin, url)

  await page.goto(pay_url)
  const wallet = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Another amount' }).click()
  await (await wallet).getByRole('button', { name: 'Pay', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Payment received' }).waitFor()
})
