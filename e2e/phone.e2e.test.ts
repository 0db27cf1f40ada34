import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import { until } from '@coffer/local/testing/until.ts'
import type { Page } from 'playwright-core'
import { newEmail, newMerchant, newShop, pay, type Shop, takePayment } from './merchants.ts'
import { fillCode, openPermission, register, shownBy, standInForPush } from './steps.ts'
import { type PageOptions, withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

const payments = 23
/** An address of nobody. */
const outside = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const tablet =
  'Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

const order = ({ coffer }: Shop, n: number, amount = '3') =>
  coffer.createOrder({ out_trade_no: `p-${n}`, amount, currency: 'USDT', chain: 'eth', token: 'USDT' })
const shop = await newShop(url, 'Pocket')
for (let n = 1; n <= payments; n++) await order(shop, n)

/** Opens a page of the shop, which no test changes, on a phone. */
const signedIn = (t: Parameters<typeof newPage>[0], options: PageOptions = {}) =>
  newPage(t, { as: shop, ...phone, ...options })

/** Opens a page of a shop of the test's own on a phone. */
async function openShop(t: Parameters<typeof newPage>[0], options: PageOptions = {}) {
  const own = await newShop(url, 'Pocket')
  return { own, page: await newPage(t, { as: own, ...phone, ...options }) }
}

test('a new merchant signs in, and is led to open permission', async t => {
  const page = await newPage(t, phone)
  const email = newEmail('pocket')
  const menu = page.getByRole('dialog', { name: 'Main menu' })
  await page.goto(`${url}/record?status=2`)
  await page.waitForURL(`${url}/m/login`)
  await register(page, url, email, 'Merchant permission')
  assert.equal(new URL(page.url()).pathname, '/m/openAuth')
  await page.goto(`${url}/m/record`)
  await page.waitForURL(`${url}/m/openAuth`)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await menu.getByText(email).waitFor()
  assert.equal(await menu.getByRole('link', { name: 'Assets' }).getAttribute('aria-disabled'), 'true')
  await menu.getByRole('tab', { name: '简体中文' }).click()
  await page.getByRole('dialog', { name: '主菜单' }).getByRole('tab', { name: 'English' }).click()
  // Back closes what is open.
  await page.goBack()
  await menu.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/m/openAuth')
  await openPermission(page, url, 'Pocket Ltd')
  await page.goto(`${url}/m/initPage`)
  await heading(page, 'Getting started')
  await page.goto(`${url}/m/`)
  await heading(page, 'Dashboard')
  for (const part of ['Getting started', 'Overview', 'Payments', 'Latest payments'])
    await page.getByRole('region', { name: part, exact: true }).waitFor()
  // On a page that was opened directly as well.
  await page.getByRole('button', { name: 'Open menu' }).click()
  await menu.waitFor()
  await page.goBack()
  await menu.waitFor({ state: 'detached' })
  await heading(page, 'Dashboard')
})

test('each device has its paths, with their queries', async t => {
  const page = await signedIn(t)
  await page.goto(`${url}/record?status=1`)
  await page.waitForURL(`${url}/m/record?status=1`)
  await page.goto(`${url}/m/nowhere`)
  await page.getByRole('link', { name: 'Back Home' }).click()
  await page.waitForURL(new RegExp(`^${url}/m/?$`))
  const large = await signedIn(t, { userAgent: tablet })
  await large.goto(`${url}/m/record?status=1`)
  await large.waitForURL(`${url}/record?status=1`)
})

test('home: hides and shows the balance', async t => {
  const page = await signedIn(t)
  await page.goto(`${url}/m/`)
  await page.getByText('Account balance').waitFor()
  await page.getByRole('button', { name: 'Hide amounts' }).click()
  await page.getByText('Hidden').first().waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Show amounts' }).click()
  await page.getByText('Hidden').first().waitFor({ state: 'detached' })
})

test('a pull from the top reads the page again, a shorter one does not', async t => {
  const page = await signedIn(t)
  await page.goto(`${url}/m/`)
  await page.getByText('Account balance').waitFor()
  const touch = await page.context().newCDPSession(page)
  const reads: string[] = []
  page.on('request', request => request.url().includes('/statistics/overview') && reads.push(request.url()))
  for (const [far, count] of [
    [80, 0],
    [320, 1],
  ] as const) {
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 195, y: 300 }] })
    for (let y = 0; y <= far; y += 40)
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: 195, y: 300 + y }] })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await until('the page is read', () => reads.length >= count)
  }
  assert.equal(reads.length, 1)
})

test('records: grow while scrolled, filter in a sheet, and keep their place under the details', async t => {
  const page = await signedIn(t)
  await page.goto(`${url}/m/`)
  await page.getByRole('link', { name: 'Records', exact: true }).click()
  const rows = page.getByRole('region', { name: 'Payment records' }).getByRole('listitem')
  await rows.nth(19).waitFor()
  const end = page.getByText('It is all, nothing more')
  await until('the end of the list is visible', async () => {
    await page.evaluate('scrollBy(0, 200)')
    return end.isVisible()
  })
  assert.equal(await rows.count(), payments)
  const oldest = rows.getByText('p-1', { exact: true })
  // In the middle, as a click scrolls on where the bar at the bottom covers it.
  await oldest.evaluate(row => row.scrollIntoView({ block: 'center' }))
  const far = await page.evaluate('scrollY')
  await oldest.click()
  const details = page.getByRole('dialog', { name: 'Payment' })
  await details.getByText('p-1', { exact: true }).waitFor()
  await page.goBack()
  await details.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('scrollY'), far)

  await page.evaluate('scrollTo(0, 0)')
  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByLabel('Merchant order number').fill('p-7')
  await sheet.getByRole('button', { name: 'Show results' }).click()
  await page.waitForURL(`${url}/m/record?out_trade_no=p-7`)
  await rows.nth(1).waitFor({ state: 'detached' })
  await rows.getByText('p-7', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await sheet.waitFor()
  await page.goBack()
  await sheet.waitFor({ state: 'detached' })
  // The page goes forward again by itself, a moment after the browser has gone back.
  await page.waitForURL(`${url}/m/record?out_trade_no=p-7`)
  await page.goBack()
  await page.waitForURL(`${url}/m/record`)
})

test('a payment that is paid shows at once', async t => {
  const { own, page } = await openShop(t)
  const live = page.waitForResponse('**/api/v1/user/events*')
  await page.goto(`${url}/m/record`)
  await live
  const { trade_no } = await order(own, 99, '203')
  await page.getByRole('listitem').filter({ hasText: 'p-99' }).getByText('To be paid').waitFor()
  await pay(url, trade_no)
  await page.getByRole('listitem').filter({ hasText: 'p-99' }).getByText('Account paid').waitFor()
  await page.getByRole('link', { name: 'Assets', exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: 'Ethereum' }).waitFor()
})

test('collects at the counter, finds a payment that was left, and reports it paid', async t => {
  const { own, page } = await openShop(t)
  // The desktop at the same counter, on its first page, says and sounds it as well.
  const desk = await newPage(t, { as: own })
  await desk.addInitScript(`
    const make = BaseAudioContext.prototype.createOscillator
    window.tones = 0
    BaseAudioContext.prototype.createOscillator = function () { window.tones++; return make.call(this) }`)
  const listed = desk.waitForResponse('**/api/v1/collect')
  await desk.goto(url)
  await desk.getByRole('button', { name: 'Collapse menu' }).click()
  await listed
  await page.goto(`${url}/m/`)
  await page.evaluate('navigator.vibrate = pattern => { window.vibrated = pattern }')
  await page.getByRole('navigation').getByRole('link', { name: 'Collect', exact: true }).click()
  for (const key of ['2', '5', 'Decimal point', '5', '9', 'Delete the last digit'])
    await page.getByRole('button', { name: key, exact: true }).click()
  await page.getByRole('button', { name: 'Collect 25.50 USDT' }).dblclick()
  await page.getByRole('img', { name: 'QR code of the payment' }).waitFor()
  const tradeNo = new URL(page.url()).searchParams.get('trade_no') ?? ''
  await page.getByRole('combobox', { name: 'Token and network' }).selectOption('eth:USDT')
  await page.getByText('Amount to send').waitFor()
  await pay(url, tradeNo)
  await page.getByText('Paid', { exact: true }).waitFor()
  assert.ok(await page.evaluate('window.vibrated'))
  await page.getByRole('button', { name: 'New payment' }).click()
  // This device collects in the same asset again.
  await page.getByRole('button', { name: '7', exact: true }).click()
  await page.getByRole('button', { name: 'Collect 7.00 USDT' }).click()
  await page.getByText('Amount to send').waitFor()
  const second = new URL(page.url()).searchParams.get('trade_no') ?? ''
  // A part of it names the rest while it confirms as well as afterwards, and the payment that was left is found again.
  await pay(url, second, '3')
  await page.getByRole('status').filter({ hasText: 'Still to pay: 4' }).waitFor()
  await page.getByRole('button', { name: 'New payment' }).click()
  await page.getByRole('listitem').filter({ hasText: '7.00 USDT' }).getByText('Partly paid').click()
  await page.getByText('Still to pay: 4').waitFor()
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await pay(url, second, '4')
  await Promise.all([page, desk].map(each => each.getByText('Paid at the counter: 7.00 USDT').waitFor()))
  assert.equal(await desk.evaluate('window.tones'), 4)
  await page.getByRole('link', { name: 'Collect', exact: true }).click()
  await page.getByRole('button', { name: '9', exact: true }).click()
  await page.getByRole('button', { name: 'Collect 9.00 USDT' }).click()
  await page.getByText('Amount to send').waitFor()
  await page.getByRole('button', { name: 'Cancel payment' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment' }).click()
  await page.getByRole('button', { name: 'Collect', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Records', exact: true }).click()
  const rows = page.getByRole('region', { name: 'Payment records' }).getByRole('listitem')
  await rows.nth(1).waitFor()
  // One payment for two clicks, the one in two parts, and the cancelled one.
  await rows.nth(2).waitFor()
  assert.equal(await rows.filter({ hasText: 'Collect' }).count(), 3)
})

test('a payment link is shared and paid twice, and records name it', async t => {
  const { page } = await openShop(t)
  await page.goto(`${url}/m/collect?view=links`)
  await page.evaluate(
    'navigator.share = async what => { window.shared = what.url }; window.print = () => { window.printed = true }',
  )
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const form = page.getByRole('dialog', { name: 'New payment link' })
  await form.getByLabel('Title').fill('Cake <b>')
  await form.getByText('More options').click()
  await form.getByLabel('Minimum amount').fill('5')
  // Fields that share a row stand beside each other.
  const pair = ['Minimum amount', 'Maximum amount'].map(name => form.getByLabel(name).boundingBox())
  const [least, largest] = await Promise.all(pair)
  assert.equal(least?.y, largest?.y)
  // A message covers neither the title of a sheet nor its buttons.
  await page.route('**/api/v1/payment-link', route => route.fulfill({ status: 429, json: { code: 1, msg: 'not yet' } }))
  const press = form.getByRole('button', { name: 'Create link' })
  await press.click()
  const toast = await page.locator('[data-toasts] > div').first().boundingBox()
  const title = await form.getByRole('heading', { name: 'New payment link' }).boundingBox()
  const button = await press.boundingBox()
  assert.ok(toast && title && button && toast.y > title.y + title.height && toast.y + toast.height <= button.y)
  await page.unroute('**/api/v1/payment-link')
  await page.locator('[data-toasts]').getByRole('button').first().click()
  await press.click()
  const view = page.getByRole('dialog', { name: 'Payment link', exact: true })
  await view.getByRole('img', { name: 'QR code of Cake <b>' }).waitFor()
  const link = (await view.getByText(/\/l\//).first().textContent()) ?? ''
  for (const name of ['Share', 'Print']) await view.getByRole('button', { name }).click()
  assert.deepEqual(await page.evaluate('[window.shared, window.printed]'), [link, true])
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('heading', { name: 'Cake <b>' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'View payments' }).isVisible(), false)
  await page.emulateMedia({ media: 'screen' })
  for (const amount of ['6', '8']) {
    const payer = await newPage(t, phone)
    await payer.goto(link)
    await payer.getByRole('heading', { name: 'Cake <b>' }).waitFor()
    await payer.getByLabel(/^Amount/).fill('4')
    await payer.getByRole('button', { name: 'Continue to payment' }).click()
    await payer.getByText(/at least 5/).waitFor()
    await payer.getByLabel(/^Amount/).fill(amount)
    await payer.getByRole('button', { name: 'Continue to payment' }).dblclick()
    await payer.waitForURL(/\/pay\/\d{32}$/)
    const tradeNo = payer.url().slice(-32)
    await payer.getByRole('radio', { name: /USDT.*Ethereum/ }).click()
    await payer.getByRole('button', { name: 'Continue' }).click()
    await payer.getByRole('link', { name: 'Open in wallet' }).waitFor()
    await pay(url, tradeNo)
    await payer.getByRole('heading', { name: 'Payment received' }).waitFor()
  }
  await view.getByRole('link', { name: 'View payments' }).click()
  await page.waitForURL(/\/m\/record\?metadata=payment_link/)
  const rows = page.getByRole('region', { name: 'Payment records' }).getByRole('listitem')
  await rows.nth(1).waitFor()
  assert.equal(await rows.filter({ hasText: 'Account paid' }).count(), 2)
  await page.goto(`${url}/m/collect?view=links`)
  await page.getByRole('button', { name: 'Details' }).first().click()
  await view.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Link disabled').waitFor()
  const late = await newPage(t, phone)
  await late.goto(link)
  await late.getByText('The payee has disabled this link.').waitFor()
})

test('withdraws in three steps, and shows seven withdrawals at a time', async t => {
  const { own, page } = await openShop(t)
  await takePayment(url, own, { out_trade_no: 'w-1', amount: '203' })
  await page.goto(`${url}/m/property`)
  const recharge = page.getByRole('link', { name: 'Recharge', exact: true })
  assert.match(String(await recharge.getAttribute('href')), /\/property\/recharge$/)
  await page.getByRole('link', { name: 'Withdraw', exact: true }).click()
  await page.getByText('Step 1 of 3').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Ethereum' }).getByRole('button').click()
  await page.getByText('Step 2 of 3').waitFor()
  await page.getByLabel('Receiving address').fill(outside)
  await page.getByText('Valid address.').waitFor()
  await page.getByLabel('Amount', { exact: true }).fill('60')
  await page.getByRole('button', { name: 'Continue' }).click()
  const sheet = page.getByRole('dialog', { name: 'Confirm the withdrawal' })
  await fillCode(sheet, url, own.email)
  const listed = page.waitForRequest(request => /withdrawal-list\?.*pageSize=7/.test(request.url()))
  await sheet.getByRole('button', { name: 'Withdraw' }).click()
  await listed
  const details = page.getByRole('dialog', { name: 'Withdrawal', exact: true })
  await details.waitFor()
  await details.getByRole('button', { name: 'Back' }).click()
  await details.waitFor({ state: 'detached' })
})

test('notifications: open as a page', async t => {
  const page = await newPage(t, { as: await newMerchant(url, 'Reader'), ...phone })
  await page.goto(`${url}/m/`)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const news = page.getByRole('dialog', { name: 'Notifications' })
  await news.getByRole('listitem').first().waitFor()
  await news.getByRole('button', { name: 'Read all' }).click()
  await news.getByText('Unread').first().waitFor({ state: 'detached' })
  await news.getByRole('button', { name: 'Back' }).click()
  await news.waitFor({ state: 'detached' })
})

test('a device opts in, and shows a received payment once', async t => {
  const { own, page } = await openShop(t, { own: true })
  const endpoint = `https://push.example/${own.mchid}`
  await standInForPush(page, endpoint)
  await page.goto(`${url}/m/accountInfo`)
  await page.getByRole('button', { name: 'Turn on' }).click()
  const sheet = page.getByRole('dialog', { name: 'Payment notifications on this device' })
  await fillCode(sheet, url, own.email)
  await sheet.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('This device shows each payment').waitFor()
  assert.equal(await page.evaluate("sessionStorage.getItem('made').length"), 87)
  await page.reload()
  await page.getByText('This device shows each payment').waitFor()
  const received = async () => {
    const answer = await fetch(`${url}/sandbox/inbox?to=${encodeURIComponent(endpoint)}`)
    const { data } = (await answer.json()) as { data: { list: { text: string }[] } }
    return data.list.map(each => each.text)
  }
  const { trade_no } = await order(own, 100, '4')
  await pay(url, trade_no)
  await until('a push is sent', async () => (await received()).length)

  const payload = { title: 'Payment received', body: '4.00 USDT', tag: 'n-1', trade_no }
  assert.deepEqual(await shownBy(page, url, payload), [['Payment received', '4.00 USDT', 'n-1', trade_no]])

  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Turn on' }).waitFor()
  const second = await order(own, 101, '5')
  await pay(url, second.trade_no)
  await page.goto(`${url}/m/record?out_trade_no=p-101`)
  await page.getByRole('listitem').filter({ hasText: 'p-101' }).getByText('Account paid').waitFor()
  assert.match((await received()).join(), /^4\.00 USDT on Ethereum for order p-100\.$/)
})

test('is an app: can be installed, and keeps the shell but no answer', async t => {
  const app = await signedIn(t, { own: true })
  await app.goto(`${url}/m/`)
  await until('the service worker controls the page', () => app.evaluate('navigator.serviceWorker.controller !== null'))
  const devtools = await app.context().newCDPSession(app)
  const manifest = await devtools.send('Page.getAppManifest')
  assert.deepEqual(manifest.errors, [])
  assert.match(manifest.data ?? '', /"maskable"/)
  assert.deepEqual((await devtools.send('Page.getInstallabilityErrors')).installabilityErrors, [])
  const cached = await app.evaluate<string[]>(
    'caches.keys().then(async names => (await Promise.all(names.map(async name => (await (await caches.open(name)).keys()).map(each => each.url)))).flat())',
  )
  assert.ok(cached.some(each => each.includes('/assets/')))
  assert.deepEqual(
    cached.map(each => new URL(each).pathname).filter(each => !/^\/(?:assets\/|m\/(?:offline\.html)?$)/.test(each)),
    [],
  )
  await app.context().setOffline(true)
  await app.goto(`${url}/m/record`)
  await app.getByRole('link', { name: 'Records', exact: true }).waitFor()
  await app.goto(`${url}/m/collect`)
  await app.getByRole('button', { name: '7', exact: true }).waitFor()
  await app.goto(`${url}/m/login`)
  await app.getByRole('heading', { name: 'No connection' }).waitFor()
  assert.equal(await app.evaluate('getComputedStyle(document.body).maxWidth'), '420px', 'its own styles apply')
  await app.context().setOffline(false)
  await app.getByRole('link', { name: 'Try again' }).click()
  await app.getByText('Account balance').waitFor()
})

test('an ended session leads to the login page of phones', async t => {
  const page = await signedIn(t)
  await page.route('**/api/v1/user/info', route =>
    route.fulfill({ status: 401, json: { code: 401, msg: 'Login expired' } }),
  )
  await page.goto(`${url}/m/record`)
  await page.waitForURL(`${url}/m/login`)
  await page.getByText('Login expired').waitFor()
})
