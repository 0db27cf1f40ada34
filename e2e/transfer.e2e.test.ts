import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launchBrowser, withContext } from '@coffer/local/testing/browser.ts'
import { Coffer } from '@coffer/sdk'
import type { Browser } from 'playwright-core'
import { withSandbox } from './sandbox.ts'
import { codeSentTo, createApplication, openPermission, pay, register } from './steps.ts'

let browser: Browser
before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

const email = 'sender@example.com'

test('transfers a balance to another merchant, who sees it arrive', async t => {
  const { url } = await withSandbox(t)
  const open = async () => {
    const page = await (await withContext(t, browser, { viewport: { width: 1440, height: 900 } })).newPage()
    page.setDefaultTimeout(20_000)
    return page
  }
  const [page, other] = [await open(), await open()]
  await register(other, url, 'receiver@example.com')
  await openPermission(other, url, 'Receiver Ltd')
  await other.goto(`${url}/transfer/record`)
  await other.getByText('No transfers yet').waitFor()
  await register(page, url, email)
  await openPermission(page, url, 'Sender Ltd')
  const { secretKey } = await createApplication(page, url, { name: 'Shop', notifyUrl: '' })
  const coffer = new Coffer({ baseUrl: url, secretKey })
  const order = await coffer.createOrder({
    out_trade_no: 't-1',
    amount: '50',
    currency: 'USDT',
    chain: 'eth',
    token: 'USDT',
  })
  await pay(url, order.trade_no)
  await page.goto(`${url}/record?trade_no=${order.trade_no}`)
  await page.getByRole('dialog').getByText('Account paid').first().waitFor()

  await page.goto(`${url}/transfer`)
  const token = page.getByLabel('Token')
  await token.selectOption({ index: 1 })
  const account = page.getByLabel('Receiver')
  await account.fill('nobody@example.com')
  await page.getByText('Merchant does not exist').waitFor()
  await account.fill(email)
  await page.getByText('You cannot transfer to your own account').waitFor()
  await account.fill('receiver@example.com')
  await page.getByText('R***d').waitFor()
  await page.getByLabel('Amount').fill('50.01')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Insufficient balance').waitFor()
  await page.getByLabel('Amount').fill('12.5')
  await page.getByLabel('Note').fill('March rent')
  await page.getByRole('button', { name: 'Continue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm the transfer' })
  await dialog.getByText('12.5').waitFor()
  await dialog.getByRole('button', { name: 'Send code' }).click()
  await dialog.getByRole('button', { name: /Resend in/ }).waitFor()
  await dialog.getByLabel('Email code').fill('000000')
  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
  await dialog.getByText('Email verification code error or expired').waitFor()
  await dialog.getByLabel('Email code').fill(await codeSentTo(url, email))
  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await page.getByLabel('Amount').inputValue(), '')

  await page.getByRole('link', { name: 'Transfer records' }).first().click()
  const row = page.getByRole('row', { name: /March rent/ })
  assert.match((await row.textContent()) ?? '', /Sent.*12\.5/)
  // Without a reload: the balance of the receiver changed.
  assert.match((await other.getByRole('row', { name: /March rent/ }).textContent()) ?? '', /Received.*12\.5/)

  // The fund flow leads to the transfer, and the records of it are exported.
  await page.goto(`${url}/property/fundingDetails?type=transfer`)
  await page.getByRole('link', { name: 'Transfer', exact: true }).first().click()
  await page.waitForURL(/\/transfer\/record\?id=[\w-]{36}$/)
  await row.waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  assert.match(download.suggestedFilename(), /^TransferRecord\d+\.xlsx$/)
})
