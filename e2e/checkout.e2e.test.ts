import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launchBrowser, phone, withContext } from '@coffer/local/testing/browser.ts'
import { until } from '@coffer/local/testing/until.ts'
import { Coffer, paymentStatus } from '@coffer/sdk'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { qrPath } from '../apps/web/src/checkout/qr-path.ts'
import { type Sandbox, withSandbox } from './sandbox.ts'
import { codeSentTo, password, pay } from './steps.ts'

let browser: Browser
let sandbox: Sandbox
let coffer: Coffer
let orders = 0

const ends: (() => unknown)[] = []

before(async () => {
  browser = await launchBrowser()
  ends.push(() => browser.close())
  sandbox = await withSandbox({ after: end => void ends.push(end) }, { COFFER_SANDBOX_MINE: 'manual' })
  coffer = await openShop(sandbox.url)
})
after(() => Promise.all(ends.map(end => end())))

/** Calls the API as a merchant's browser. Throws unless the answer's code is 200. */
async function call(path: string, body?: object, token = ''): Promise<Record<string, string>> {
  const response = await fetch(`${sandbox.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'content-type': 'application/json' }), ...(token && { 'x-token': token }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { code: number; data: Record<string, string> }
  assert.equal(answer.code, 200, `${path}: ${JSON.stringify(answer)}`)
  return answer.data
}

/** Waits for the mailed code: mails are sent in the background. */
const sentCode = (url: string, email: string) => until(`a code is sent to ${email}`, () => codeSentTo(url, email))

/** Registers a merchant with an application. */
async function openShop(url: string): Promise<Coffer> {
  const email = 'baker@example.com'
  await call('/api/v1/public/email/send-verification-code', { email, type: 2 })
  const encoded = Buffer.from(password).toString('base64')
  const form = { email, code: await sentCode(url, email), password: encoded, confirm_password: encoded }
  const { token } = await call('/api/v1/public/register', form)
  const about = {
    name: 'Bakery',
    phone: '',
    area_code: '',
    time_zone: 'UTC',
    address: { street: 'Lindenstraße 12', city: 'Berlin', country: 'Germany' },
    socials: { telegram: '', twitter: '', facebook: '' },
    website: '',
  }
  await call('/api/v1/user/opening', about, token)
  const { list } = (await call('/sandbox/merchants')) as unknown as { list: { mchid: string }[] }
  await call('/sandbox/merchants', { mchid: list[0]?.mchid, decision: 'approve' })
  await call('/api/v1/public/email/send-verification-code', { type: 11 }, token)
  const proof = { method: 'email', code: await codeSentTo(url, email) }
  const { secret_key } = await call('/api/v1/user/secret-key', { name: 'Shop', proof }, token)
  return new Coffer({ baseUrl: url, secretKey: secret_key ?? '' })
}

const mine = (blocks: number) => call('/sandbox/mine', { blocks, chain: 'eth' })
const usdt = { chain: 'eth', token: 'USDT' }
const newOrder = (more: object = usdt) =>
  coffer.createOrder({ out_trade_no: `bread-${++orders}`, amount: '12.5', currency: 'USDT', subject: 'Bread', ...more })

async function openPage(t: Parameters<typeof withContext>[0], more: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await withContext(t, browser, { ...phone, ...more })).newPage()
  page.setDefaultTimeout(60_000)
  return page
}
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
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
  await heading(page, 'Waiting for payment')
  await fits(page)

  // The QR code and the link are the same EIP-681 request for this token, amount and chain.
  const link = (await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')) ?? ''
  const { address } = await coffer.getOrder(order.trade_no)
  const [, to, units] = /^ethereum:0x[0-9a-fA-F]{40}@\d+\/transfer\?address=(0x\w{40})&uint256=(\S+)$/.exec(link) ?? []
  assert.deepEqual([to, Number(units)], [address, 12_500_000])
  const drawn = await page
    .getByRole('img', { name: /QR code/ })
    .locator('path')
    .getAttribute('d')
  assert.equal(drawn, qrPath(link).path)

  await pay(sandbox.url, order.trade_no)
  await heading(page, 'Confirming payment')
  await page.getByText('1 of 6 confirmations').waitFor()
  await mine(2)
  await page.getByText('3 of 6 confirmations').waitFor()
  await fits(page)
  await call('/sandbox/reorg', { depth: 2, chain: 'eth' })
  await mine(4)
  await heading(page, 'Payment received')
  await page.getByText('The payment is complete.').waitFor()
})

test('shows what is missing after a partial payment, and completes it with an overpayment', async t => {
  const order = await newOrder()
  const page = await openPage(t)
  await page.goto(order.pay_url)
  await heading(page, 'Waiting for payment')
  await pay(sandbox.url, order.trade_no, '5')
  await heading(page, 'Partly paid')
  await page.getByText('We received 5.00 USDT, less than the amount due. Please send the rest.').waitFor()
  await page.getByText('Amount still to send').waitFor()
  await page.getByText('7.50 USDT').waitFor()
  await fits(page)
  await pay(sandbox.url, order.trade_no, '9')
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

/** Final states caused by time or the operator, substituted in the server's answer. */
const outcomes: [title: string, sentence: string, state: keyof typeof paymentStatus, view?: object][] = [
  ['Payment expired', 'Do not send anything to this address.', 'timed_out'],
  ['Payment expired', 'A payment sent in time still counts', 'open', { expire_time: 1 }],
  ['Payment expired', 'Updates from the network are delayed.', 'open', { expire_time: 1, delayed: true }],
  ['Refund in progress', 'The merchant is refunding your payment.', 'refunding'],
  ['Refunded', 'The merchant has refunded your payment.', 'refunded'],
  ['Payment under review', 'Your money is not lost. Please contact the merchant.', 'in_doubt'],
  ['Waiting for payment', 'Your transaction was dropped by the network', 'dropped'],
]
test('explains every other final state', async t => {
  const order = await newOrder()
  const page = await openPage(t)
  let view = {}
  await page.route('**/events', route => route.abort())
  await page.route(`**/api/v1/checkout/${order.trade_no}`, async route => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, data: { ...answer.data, ...view } } })
  })
  for (const [title, sentence, state, put] of outcomes) {
    view = { ...put, status: paymentStatus[state] }
    await page.goto(order.pay_url)
    await heading(page, title)
    await page.getByText(sentence, { exact: false }).waitFor()
    assert.equal(await page.getByText(order.address.slice(0, 6)).count(), title.startsWith('Waiting') ? 1 : 0)
    await fits(page)
  }
})

test('explains a link without a payment', async t => {
  const page = await openPage(t)
  await page.goto(`${sandbox.url}/pay/${'1'.repeat(32)}`)
  await heading(page, 'Payment not found')
})
