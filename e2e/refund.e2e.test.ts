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

const email = 'giver@example.com'
const payer = '0x00000000000000000000000000000000000000bb'

test('gives a surplus back from the details of a payment, and the rest by a link', async t => {
  const { url } = await withSandbox(t)
  const page = await (await withContext(t, browser, { viewport: { width: 1440, height: 900 } })).newPage()
  page.setDefaultTimeout(20_000)
  await register(page, url, email)
  await openPermission(page, url, 'Giver Ltd')
  await page.goto(`${url}/record/refund`)
  await page.getByText('No refunds yet').waitFor()
  const { secretKey } = await createApplication(page, url, { name: 'Shop', notifyUrl: '' })
  const coffer = new Coffer({ baseUrl: url, secretKey })
  const order = await coffer.createOrder({
    out_trade_no: 'r-1',
    amount: '50',
    currency: 'USDT',
    chain: 'eth',
    token: 'USDT',
  })
  await pay(url, order.trade_no, '65')
  await page.goto(`${url}/record?trade_no=${order.trade_no}`)
  const details = page.getByRole('dialog', { name: 'Payment' })
  await details.getByRole('button', { name: 'Refund' }).click()
  const form = page.getByRole('dialog', { name: 'Refund this payment' })
  await form.getByRole('tab', { name: 'Surplus' }).waitFor()
  await form.getByText('Taken from the balance').waitFor()
  await form.getByRole('button', { name: 'Refund', exact: true }).click()
  await form.getByText('This field is required').waitFor()
  await form.getByLabel('Receiving address').fill('0x12')
  await form.getByLabel('Reason').fill('Paid too much')
  await form.getByRole('button', { name: 'Send code' }).click()
  await form.getByRole('button', { name: /Resend in/ }).waitFor()
  await form.getByLabel('Email code').fill(await codeSentTo(url, email))
  await form.getByRole('button', { name: 'Refund', exact: true }).click()
  await form.getByText('The address format does not match the selected chain').waitFor()
  await form.getByLabel('Receiving address').fill(payer)
  await form.getByRole('button', { name: 'Refund', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
  await details.getByText('Refund started').waitFor()
  await page.goto(`${url}/record/refund`)
  const row = page.getByRole('row', { name: /r-1/ })
  // The deposit is swept to the hot wallet, the refund paid from there, and the record follows without a reload.
  await row.getByText('Accomplished').waitFor({ timeout: 120_000 })
  await page.goto(`${url}/record?trade_no=${order.trade_no}`)
  await details.getByText('Refund finished').waitFor()
  await details.getByText('Account paid').first().waitFor()

  // The rest by a link, which the payer opens on a phone.
  await details.getByRole('button', { name: 'Refund' }).click()
  // The fee is gone from the balance, so that not all can be given back.
  await form.getByRole('tab', { name: 'A part' }).click()
  await form.getByLabel('Amount').fill('20')
  await form.getByRole('tab', { name: 'By link' }).click()
  const sent = form.getByRole('button', { name: /Resend in/ })
  // One code a minute.
  for (let tries = 0; tries < 20 && !(await sent.isVisible()); tries++) {
    await form.getByRole('button', { name: 'Send code' }).click()
    await sent.waitFor({ timeout: 4_000 }).catch(() => {})
  }
  await sent.waitFor()
  await form.getByLabel('Email code').fill(await codeSentTo(url, email))
  await form.getByRole('button', { name: 'Make the link' }).click()
  await form.waitFor({ state: 'hidden' })
  const link = await details
    .getByRole('region', { name: 'Refund link' })
    .getByText(/\/refund\//)
    .textContent()
  const mobile = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
  const claim = await (await withContext(t, browser, mobile)).newPage()
  claim.setDefaultTimeout(20_000)
  await claim.goto(`${url}${new URL(link!).pathname}`)
  await claim.getByRole('heading', { name: 'Your refund' }).waitFor()
  await claim.getByLabel('Your address').fill('0x12')
  await claim.getByRole('button', { name: 'Continue' }).click()
  await claim.getByRole('alert').getByText('The address format does not match').waitFor()
  await claim.getByLabel('Your address').fill(payer)
  await claim.getByRole('button', { name: 'Continue' }).click()
  await claim.getByText('Check before it is sent').waitFor()
  await claim.getByRole('button', { name: 'Send it to this address' }).click()
  await claim.getByRole('heading', { name: 'Your refund has arrived' }).waitFor({ timeout: 120_000 })
  await claim.getByRole('button', { name: '简体中文' }).click()
  await claim.getByRole('heading', { name: '退款已到账' }).waitFor()
  await details.getByText('Refund finished').nth(1).waitFor()
})
