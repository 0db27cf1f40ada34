import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import { until } from '@coffer/local/testing/until.ts'
import { paymentStatus } from '@coffer/sdk'
import type { Page } from 'playwright-core'
import { qrPath } from '../apps/web/src/ui/data/qrPath.ts'
import { call, newShop, pay } from './merchants.ts'
import { paidCallbacks, withReceiver } from './receiver.ts'
import { type PageOptions, withOwnWorld } from './world.ts'

// Blocks are mined one by one here, so that pages show each confirmation. One test kills the sandbox.
const { url, sandbox, newPage } = await withOwnWorld({ after }, { COFFER_SANDBOX_MINE: 'manual' })
const { coffer } = await newShop(url, 'Bakery')
let orders = 0

const mine = (blocks: number) => call(url, '/sandbox/mine', { blocks, chain: 'eth' })
const usdt = { chain: 'eth', token: 'USDT' }
const newOrder = (more: object = usdt) =>
  coffer.createOrder({ out_trade_no: `bread-${++orders}`, amount: '12.5', currency: 'USDT', subject: 'Bread', ...more })

const openPage = (t: Parameters<typeof newPage>[0], more: PageOptions = {}) => newPage(t, { ...phone, ...more })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
/** The heading of a stage, from which it is read on: it takes the focus at each change. */
const nextStage = (page: Page, name: string) => page.locator('h1:focus', { hasText: name }).waitFor()
/** Asserts that the page does not scroll horizontally. */
async function fits(page: Page) {
  assert.equal(
    await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
    true,
    'the page scrolls horizontally',
  )
}

test('follows a payment from choice to paid, across a reorg', async t => {
  const order = await newOrder({})
  const page = await openPage(t)
  await page.goto(order.pay_url)
  await heading(page, 'Choose how to pay')
  await fits(page)
  await page.getByRole('radio', { name: /USDT.*Ethereum/ }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await nextStage(page, 'Waiting for payment')
  await fits(page)

  // The first QR code is the bare address. The link is the EIP-681 request for this token, amount and chain, and so is
  // the second code.
  const link = (await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')) ?? ''
  const { address } = await coffer.getOrder(order.trade_no)
  const [, to, units] = /^ethereum:0x[0-9a-fA-F]{40}@\d+\/transfer\?address=(0x\w{40})&uint256=(\S+)$/.exec(link) ?? []
  assert.deepEqual([to, Number(units)], [address, 12_500_000])
  const drawn = () =>
    page
      .getByRole('img', { name: /QR code/ })
      .locator('path')
      .getAttribute('d')
  assert.equal(await drawn(), qrPath(to ?? '').path)
  await page.getByText('Wallet link', { exact: true }).click()
  assert.equal(await drawn(), qrPath(link).path)
  await page.getByText(/Send only if your wallet shows the receiving address/).waitFor()

  await pay(url, order.trade_no)
  await nextStage(page, 'Confirming payment')
  await page.getByText('1 of 6 confirmations').waitFor()
  await mine(2)
  await page.getByText('3 of 6 confirmations').waitFor()
  await fits(page)
  await call(url, '/sandbox/reorg', { depth: 2, chain: 'eth' })
  await mine(4)
  await nextStage(page, 'Payment received')
  await page.getByText('The payment is complete.').waitFor()
})

test('shows what is missing after a partial payment, and completes it with an overpayment', async t => {
  const order = await newOrder()
  const page = await openPage(t)
  await page.goto(order.pay_url)
  await heading(page, 'Waiting for payment')
  await pay(url, order.trade_no, '5')
  await heading(page, 'Partly paid')
  await page.getByText('We received 5.00 USDT, less than the amount due. Please send the rest.').waitFor()
  await page.getByText('Amount still to send').waitFor()
  await page.getByText('7.50 USDT').waitFor()
  await fits(page)
  await pay(url, order.trade_no, '9')
  await heading(page, 'Confirming payment')
  await mine(6)
  await heading(page, 'Payment received')
  await page.getByText('You paid 1.50 USDT too much.', { exact: false }).waitFor()
})

test('polls without an event stream, and shows a closed payment in Chinese', async t => {
  const order = await newOrder()
  const page = await openPage(t, { locale: 'zh-CN' })
  await page.route('**/events', route => route.abort())
  await page.goto(order.pay_url)
  await heading(page, '等待付款')
  await fits(page)
  await coffer.closeOrder(order.trade_no)
  await heading(page, '付款已关闭')
  assert.equal(await page.evaluate('document.documentElement.lang'), 'zh-CN')
})

/** Serves a shop's page with a button for a checkout, of an origin of its own. */
const shopOf = (payUrl: () => string) =>
  pageOf(
    () => `<script src="${url}/pay.js"></script><script src="${url}/modal/btcpay.js"></script><button data-coffer-pay="${payUrl()}">Pay now</button><a href="#">Other</a>
      <script>window.heard = []; for (const name of ['paid', 'expired', 'closed'])
        document.addEventListener('coffer:' + name, event => heard.push([name, event.detail.trade_no]))</script>`,
  )

async function pageOf(html: () => string) {
  const server = createServer((_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(
        `<!doctype html><html lang="en"><title>Shop</title><meta name="viewport" content="width=device-width">${html()}`,
      ),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An order of a new shop, whose checkout pages of an origin may frame. */
async function framedOrder(origin: string) {
  const { coffer } = await newShop(url, 'Frames', '', { embed_origins: [origin] })
  return coffer.createOrder({ out_trade_no: 'framed', amount: '2', currency: 'USDT', subject: 'Tea', ...usdt })
}

test('opens over a page of an allowed origin, and nowhere else', async t => {
  let payUrl = ''
  const [allowed, other] = await Promise.all([shopOf(() => payUrl), shopOf(() => payUrl)])
  const order = await framedOrder(allowed)
  payUrl = order.pay_url

  const page = await openPage(t)
  await page.goto(allowed)
  const button = page.getByRole('button', { name: 'Pay now' })
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'Payment' })
  const checkout = page.frameLocator('iframe[title=Payment]')
  await checkout.getByRole('heading', { name: 'Waiting for payment' }).waitFor()
  const box = await dialog.boundingBox()
  const { width, height } = page.viewportSize()!
  assert.deepEqual([box?.x, box?.y, box?.width, box?.height], [0, 0, width, height], 'fills the screen of a phone')
  await page.evaluate(`postMessage({ coffer: 1, event: 'paid', trade_no: 'forged' }, '*')`)
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press('Tab')
    assert.notEqual(await page.evaluate('document.activeElement.textContent'), 'Other', 'the focus left the dialog')
  }
  await pay(url, order.trade_no)
  await mine(6)
  await checkout.getByRole('heading', { name: 'Payment received' }).waitFor()
  await checkout.getByRole('heading', { name: 'Payment received' }).click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Pay now')
  assert.deepEqual(await page.evaluate('heard'), [
    ['paid', order.trade_no],
    ['closed', undefined],
  ])

  await page.goto(other)
  await page.getByRole('button', { name: 'Pay now' }).click()
  await page.waitForURL(payUrl)
  await heading(page, 'Payment received')
})

test('opens as the modal of BTCPay, tells what plugins wait for, and closes when they say so', async t => {
  let invoice = ''
  const shop = await pageOf(
    () => `<script src="${url}/modal/btcpay.js"></script><script>window.heard = []
      function order() {
        btcpay.setApiUrlPrefix('${url}')
        btcpay.showInvoice('${invoice}')
        btcpay.onModalWillEnter(() => heard.push('enter'))
        btcpay.onModalWillLeave(() => heard.push('leave'))
        btcpay.onModalReceiveMessage(({ data }) => {
          heard.push(data.status ?? data)
          if (data.invoiceId && data.invoiceId !== '${invoice}') heard.push('another invoice')
          if (data.status === 'Settled') btcpay.hideFrame()
        })
      }</script><button onclick="order()">Place order</button>`,
  )
  const order = await framedOrder(shop)
  invoice = order.trade_no
  const page = await openPage(t)
  await page.goto(shop)
  const open = page.getByRole('button', { name: 'Place order' })
  const dialog = page.getByRole('dialog', { name: 'Payment' })
  const heard = () => page.evaluate('heard.splice(0)')
  await open.click()
  await page.frameLocator('iframe[title=Payment]').getByRole('heading', { name: 'Waiting for payment' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual(await heard(), ['leave', 'close'])
  await open.click()
  await page.frameLocator('iframe[title=Payment]').getByRole('heading', { name: 'Waiting for payment' }).waitFor()
  await page.evaluate(`postMessage({ coffer: 1, event: 'paid' }, '*'); postMessage({ status: 'Settled' }, '*')`)
  assert.deepEqual(await heard(), ['enter'], 'each listener once, and nothing that the checkout has not said')
  await pay(url, order.trade_no)
  await mine(6)
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual(await heard(), ['Settled', 'leave', 'close'])
})

test('a page of another origin cannot frame it, whatever the address of the frame says', async t => {
  const allowed = await shopOf(() => '')
  const other = await shopOf(() => '')
  const order = await framedOrder(allowed)
  const page = await openPage(t)
  const framed = async (from: string, by: string) => {
    await page.goto(from)
    const src = `${order.pay_url}?embed=${encodeURIComponent(by)}`
    await page.evaluate(`new Promise(done => document.body.append(Object.assign(document.createElement('iframe'),
      { src: ${JSON.stringify(src)}, onload: done })))`)
    return page
      .frames()[1]!
      .evaluate('origin')
      .catch(() => 'none')
  }
  assert.equal(await framed(allowed, allowed), new URL(url).origin)
  for (const by of [allowed, other, '']) assert.notEqual(await framed(other, by), new URL(url).origin)
})

/** Final states caused by time or the operator, substituted in the server's answer. */
const deposit = {
  txid: `0x${'a'.repeat(64)}`,
  browser_url: '',
  chain: 'BNB Smart Chain',
  confirmations: 1,
  required_confirmations: 6,
  seen_time: 1,
  accepted: true,
  returned: 'no',
  returned_to: '',
}
const inExplorer = { ...deposit, browser_url: 'https://explorer.example', token: 'USDT', amount: '10', late: false }
const late = { ...deposit, token: 'USDT', amount: '10', state: 'seen', late: true }
const coin = { ...deposit, token: 'ETH', amount: '0.01', state: 'credited', late: false }
const bridged = { ...coin, token: 'USDC.e', amount: '5', state: 'seen', accepted: false }
const returned_to = `0x${'b'.repeat(40)}`
const returning = { ...bridged, state: 'credited', returned: 'coming', returned_to }
const inCoin = { deposits: [coin], chosen: { paid: '4', rest: '6', counted: ['ETH'] } }
const strict = { counted: [] }
const outcomes: [title: string, sentence: string, state: keyof typeof paymentStatus, view?: object][] = [
  ['Payment expired', 'Do not send anything to this address.', 'timed_out'],
  ['Time is up', 'A payment sent in time still counts', 'open', { expire_time: 1 }],
  ['Time is up', 'Updates from the network are delayed.', 'open', { expire_time: 1, delayed: true }],
  ['Waiting for payment', 'Transfers of less than 0.01 USDT count', 'open', { chosen: { minimum: '0.01' } }],
  ['Refund in progress', 'The merchant is refunding your payment.', 'refunding'],
  ['Refunded', 'The merchant has refunded your payment.', 'refunded'],
  ['Payment received', '0.01 ETH counts as 4.00 USDT', 'paid', inCoin],
  ['Payment closed', 'after the order had ended', 'closed', { deposits: [{ ...late, state: 'credited' }] }],
  ['Payment under review', 'Your money is not lost. Please contact the merchant.', 'in_doubt'],
  ['Waiting for payment', 'Your transaction was dropped by the network', 'dropped'],
  ['Payment expired', 'It will be credited to the merchant once it is confirmed.', 'timed_out', { deposits: [late] }],
  ['Payment expired', 'BNB Smart Chain', 'timed_out', { deposits: [{ ...late, state: 'credited' }] }],
  ['Partly paid', 'We received 0.01 ETH, which counts as 4.00 USDT, less than the amount due.', 'open', inCoin],
  [
    'Waiting for payment',
    '0.01 ETH does not count towards this payment.',
    'open',
    { deposits: [coin], chosen: strict },
  ],
  ['Payment received', '0.01 ETH does not count towards this payment.', 'paid', { deposits: [coin], chosen: strict }],
  [
    'Waiting for payment',
    'not accepted here and does not count towards this payment.',
    'open',
    { deposits: [bridged] },
  ],
  ['Waiting for payment', 'It is being returned to the address that sent it', 'open', { deposits: [returning] }],
  [
    'Payment received',
    'It was returned to the address',
    'paid',
    { deposits: [coin, { ...returning, returned: 'sent' }] },
  ],
  ['Payment expired', 'It is being returned', 'timed_out', { deposits: [{ ...returning, late: true }] }],
  ['Payment received', 'The payment is complete.', 'paid', { deposits: [{ ...inExplorer, state: 'credited' }] }],
]
test('explains every other final state', async t => {
  const order = await newOrder()
  const page = await openPage(t, { own: true })
  await page.clock.install()
  let view: { status?: number; chosen?: object } = {}
  await page.route('**/events', route => route.abort())
  await page.route(`**/api/v1/checkout/${order.trade_no}`, async route => {
    const answer = await (await route.fetch()).json()
    const chosen = { ...answer.data.chosen, ...view.chosen }
    await route.fulfill({ json: { ...answer, data: { ...answer.data, ...view, chosen } } })
  })
  for (const [title, sentence, state, put] of outcomes) {
    view = { ...put, status: paymentStatus[state] }
    // It is read again as without events, every five seconds.
    if (page.url() === order.pay_url) await page.clock.fastForward(5_000)
    else await page.goto(order.pay_url)
    await heading(page, title)
    await page.getByText(sentence, { exact: false }).waitFor()
    // Whom to contact, with the number that the merchant gave the order.
    const number = page.getByText(order.out_trade_no, { exact: true })
    const asks = /^(timed_out|in_doubt|closed)$/.test(state) || sentence.includes('does not count')
    assert.equal(await number.count(), asks ? 1 : 0)
    assert.equal(await page.getByText(order.address.slice(0, 6)).count(), /^(Waiting|Partly)/.test(title) ? 1 : 0)
    const linked = await page
      .locator('a[href="https://explorer.example"] span')
      .evaluateAll(groups => groups.map(each => each.ownerDocument.defaultView!.getComputedStyle(each).color))
    assert.ok(new Set(linked).size <= 1, 'a link has one colour')
    await fits(page)
  }
})

test('explains a link without a payment', async t => {
  const page = await openPage(t)
  await page.goto(`${url}/pay/${'1'.repeat(32)}`)
  await heading(page, 'Payment not found')
})

test('pays and credits once when killed between deposit and confirmation', async t => {
  const receiver = await withReceiver(t)
  const shop = await newShop(url, 'Florist', receiver.url)
  const order = await shop.coffer.createOrder({ out_trade_no: 'roses-1', amount: '40', currency: 'USDT', ...usdt })
  await pay(url, order.trade_no)
  await until('the deposit is seen', async () => (await shop.coffer.getOrder(order.trade_no)).deposits.length)

  await sandbox.end('SIGKILL')
  await sandbox.startAgain()
  await call(url, '/sandbox/mine', { blocks: 12 })

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
  const events = await paidCallbacks(receiver.received, shop.webhookSecret, order.trade_no)
  assert.equal(new Set(events.map(event => event.id)).size, 1)
})
