import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { launchBrowser, phone, withContext } from '@coffer/local/testing/browser.ts'
import { until } from '@coffer/local/testing/until.ts'
import { Coffer, paymentStatus, verifyWebhook } from '@coffer/sdk'
import ExcelJS from 'exceljs'
import type { Browser, Page } from 'playwright-core'
import { type Received, withReceiver } from './receiver.ts'
import { type Sandbox, withSandbox } from './sandbox.ts'
import { createApplication, openPermission, pay, register } from './steps.ts'

let browser: Browser
before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

/** Registers a merchant in a browser, with an application whose callbacks this test receives. */
async function openShop(t: Parameters<typeof withContext>[0], sandbox: Sandbox, page: Page, name: string) {
  const receiver = await withReceiver(t)
  await register(page, sandbox.url, `${name.toLowerCase()}@example.com`)
  await openPermission(page, sandbox.url, `${name} Ltd`)
  const secrets = await createApplication(page, sandbox.url, { name, notifyUrl: receiver.url })
  return { ...secrets, ...receiver, coffer: new Coffer({ baseUrl: sandbox.url, secretKey: secrets.secretKey }) }
}

/**
 * Waits for the `payment.paid` callback and verifies its signature. A server killed during delivery leaves the callback
 * leased for a minute, and later callbacks of the payment wait for it.
 */
async function paidCallbacks(received: Received[], secret: string, tradeNo: string) {
  const paid = () =>
    received
      .map(({ headers, body }) => verifyWebhook({ secret, headers, body }))
      .flatMap(({ id, type, data }) =>
        type === 'payment.paid' && 'trade_no' in data && data.trade_no === tradeNo ? [{ id, order: data }] : [],
      )
  return until('a payment.paid callback arrives', paid, each => each.length > 0)
}

test('takes a merchant from registration to money on the dashboard', async t => {
  const sandbox = await withSandbox(t)
  const context = await withContext(t, browser, { viewport: { width: 1440, height: 900 }, acceptDownloads: true })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const shop = await openShop(t, sandbox, page, 'Bakery')

  const order = await shop.coffer.createOrder({ out_trade_no: 'bread-1', amount: '12.5', currency: 'USDT' })
  assert.equal(order.status, 1)

  await page.goto(`${sandbox.url}/`)
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

  // The payer uses another browser.
  const checkout = await (await withContext(t, browser, phone)).newPage()
  checkout.setDefaultTimeout(20_000)
  await checkout.goto(order.pay_url)
  await checkout.getByRole('radio', { name: /USDT.*Ethereum/ }).click()
  await checkout.getByRole('button', { name: 'Continue' }).click()
  await checkout.getByRole('img', { name: /QR code/ }).waitFor()
  await pay(sandbox.url, order.trade_no)
  await checkout
    .getByText(/\d of 6 confirmations/)
    .first()
    .waitFor()
  await checkout.getByRole('heading', { name: 'Payment received' }).waitFor()

  // The merchant sees it without a reload: 12.5 minus the fee of 0.4 %.
  await page.getByText('12.45', { exact: false }).first().waitFor()

  await page.goto(`${sandbox.url}/record?out_trade_no=bread-1`)
  await page
    .getByRole('cell', { name: /bread-1/ })
    .first()
    .waitFor()
  await page.getByRole('cell', { name: 'Account paid' }).first().waitFor()

  // The notification opens the payment.
  await page.getByRole('button', { name: /^Notifications, \d+ unread/ }).click()
  await page.getByRole('listitem').filter({ hasText: 'Payment received' }).getByRole('button').click()
  const details = page.getByRole('dialog', { name: 'Payment' })
  await details.getByText(order.trade_no).waitFor()
  await details.getByRole('button', { name: 'Close' }).click()

  const [paid] = await paidCallbacks(shop.received, shop.webhookSecret, order.trade_no)
  assert.equal(paid?.order.out_trade_no, 'bread-1')
  assert.equal(paid?.order.paid_amount, '12.5')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const download = await downloading
  assert.match(download.suggestedFilename(), /^PaymentRecord\d+\.xlsx$/)
  const book = new ExcelJS.Workbook()
  await book.xlsx.load((await readFile(await download.path())) as never)
  assert.match(JSON.stringify(book.worksheets[0]?.getRow(2).values), /bread-1/)

  // The same order number returns the same payment; with another amount it is refused.
  const again = await shop.coffer.createOrder({ out_trade_no: 'bread-1', amount: '12.5', currency: 'USDT' })
  assert.equal(again.trade_no, order.trade_no)
  await assert.rejects(
    shop.coffer.createOrder({ out_trade_no: 'bread-1', amount: '13', currency: 'USDT' }),
    /already used for a different order/,
  )
})

test('pays and credits once when killed between deposit and confirmation', async t => {
  const sandbox = await withSandbox(t, { COFFER_SANDBOX_MINE: 'manual' })
  const context = await withContext(t, browser, { viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const shop = await openShop(t, sandbox, page, 'Florist')
  const order = await shop.coffer.createOrder({
    out_trade_no: 'roses-1',
    amount: '40',
    currency: 'USDT',
    chain: 'eth',
    token: 'USDT',
  })
  await pay(sandbox.url, order.trade_no)
  await until('the deposit is seen', async () => (await shop.coffer.getOrder(order.trade_no)).deposits.length)

  await sandbox.end('SIGKILL')
  await sandbox.startAgain()
  const mined = await fetch(`${sandbox.url}/sandbox/mine`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ blocks: 12 }),
  })
  assert.equal(mined.status, 200)

  const paid = await until(
    'the payment is paid',
    () => shop.coffer.getOrder(order.trade_no),
    ({ status }) => status === paymentStatus.paid,
  )
  assert.equal(paid.paid_amount, '40')
  assert.equal(paid.deposits.length, 1)
  assert.equal(paid.deposits[0]?.state, 'credited')
  const { list } = await shop.coffer.balances()
  assert.deepEqual(
    list.filter(({ available }) => available !== '0').map(({ chain, available }) => ({ chain, available })),
    [{ chain: 'Ethereum', available: '39.84' }],
  )
  const events = await paidCallbacks(shop.received, shop.webhookSecret, order.trade_no)
  assert.equal(new Set(events.map(event => event.id)).size, 1)
})
