import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import pg from 'pg'
import type { Locator, Page } from 'playwright-core'
import { call, newAccount, newEmail, newMerchant, newShop, takePayment } from './merchants.ts'
import { activate, addAuthenticator, decisionsAre, faults, fillCode, shownBy, standInForPush } from './steps.ts'
import { change, settle } from './walk.ts'
import { withOwnWorld } from './world.ts'

// Operators, openings to review and the signer's policy are those of the whole installation, which one test restarts.
const { url, sandbox, newPage } = await withOwnWorld({ after })

/** Opens the console, signed in as the operator of the sandbox. Returns its address. */
async function openConsole(page: Page): Promise<string> {
  const entry = await call<{ url: string }>(url, '/sandbox/console')
  await page.goto(entry.url)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  return new URL(entry.url).origin
}

/** Adds an operator in the console and returns the one-time link that was mailed. */
async function addOperator(page: Page, email: string, role: string): Promise<string> {
  await page.getByRole('button', { name: 'Add operator' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Role').selectOption(role)
  await dialog.getByRole('button', { name: 'Add operator' }).click()
  await dialog.getByText('The link was sent').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const { list } = await call<{ list: { text: string }[] }>(url, `/sandbox/inbox?to=${email}`)
  return /\S+#invitation=\S+/.exec(list.at(-1)!.text)![0]
}

/** Shows alerts on this device, and opens one. */
async function showAlerts(page: Page, origin: string, endpoint: string): Promise<void> {
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).last().click()
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  }
  await press('Show on this device')
  const row = page.getByRole('row', { name: /\(this one\)/ })
  await row.waitFor()
  assert.equal(await page.getByRole('button', { name: 'Show on this device' }).count(), 0)
  await press('Send a test')
  await page.getByText('The push service accepted it').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  const { list } = await call<{ list: { subject: string }[] }>(url, `/sandbox/inbox?to=${encodeURIComponent(endpoint)}`)
  assert.match(list[0]!.subject, /^Test of the alerts/)
  const payload = { title: 'Money is missing', body: '5 USDT', tag: 'a', link: `${origin}/incidents/i1` }
  assert.deepEqual(await shownBy(page, origin, payload), [['Money is missing', '5 USDT', 'a', '/incidents/i1']])
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No device shows your alerts').waitFor()
}

async function openDatabase(t: TestContext): Promise<pg.Client> {
  const database = new pg.Client({ host: join(sandbox.data, 'pg'), database: 'coffer', user: 'coffer' })
  await database.connect()
  t.after(() => database.end())
  return database
}

const menu = [
  '/',
  '/merchants',
  '/withdrawals',
  '/incidents',
  '/orders',
  '/announcements',
  '/money',
  '/chains',
  '/queues',
  '/operators',
  '/log',
]

/** Walks through the menu, and returns the calls that were refused as the role may not make them. */
async function refusedOn(page: Page): Promise<string[]> {
  const refused: string[] = []
  page.on('response', response => {
    if (response.status() === 403) refused.push(response.url())
  })
  const links = page.getByRole('navigation').getByRole('link')
  const paths = await links.evaluateAll(all => all.map(each => each.getAttribute('href') ?? ''))
  assert.deepEqual(paths.toSorted(), menu.toSorted())
  for (const path of paths) await change(page, path)
  return refused
}

test('shows each role what it may do, and signs out one who is removed', async t => {
  const owner = await newPage(t)
  const consoleUrl = await openConsole(owner)
  await owner.goto(`${consoleUrl}/operators`)
  const links = new Map<string, string>()
  for (const role of ['viewer', 'support', 'finance', 'owner'])
    links.set(role, await addOperator(owner, `${role}@example.com`, role))
  for (const [role, link] of links) {
    const page = await newPage(t)
    await activate(page, consoleUrl, link)
    await page.getByText(`${role}@example.com · ${role[0]!.toUpperCase()}${role.slice(1)}`).waitFor()
    await page.goto(`${consoleUrl}/operators`)
    await page.getByRole('cell', { name: 'finance@example.com' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add operator' }).count(), role === 'owner' ? 1 : 0)
    assert.equal(await page.getByRole('heading', { name: 'Systems that get alerts' }).count(), role === 'owner' ? 1 : 0)
    assert.deepEqual(await refusedOn(page), [], role)
    if (role !== 'viewer') continue
    await owner
      .getByRole('row', { name: /viewer@/ })
      .getByRole('button', { name: 'Remove' })
      .click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await owner.getByRole('cell', { name: 'viewer@example.com' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Log' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }
})

/** Sets a limit and a fee of a merchant, each at first to what is refused. */
async function fillTerms(dialog: Locator): Promise<void> {
  const largest = dialog.getByLabel('Per-withdrawal limit')
  await largest.fill('2,5')
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.getByText('Enter a whole number from 0 to 1,000,000,000').waitFor()
  await largest.fill('1,250')
  await dialog.getByText('→ 1,250').waitFor()
  const fee = dialog.getByLabel('Payment fee')
  await fee.fill('0.455')
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.getByText('Enter a percentage from 0 to 10').waitFor()
  await fee.fill('0.45')
  await dialog.getByText('0.40% (default) → 0.45%').waitFor()
  await dialog.getByLabel('Reason, for other').fill('Asked for by the shop')
}

/** The open page of a merchant who was frozen, and another window, say why. */
async function assertToldFrozen(merchant: Page, other: Page): Promise<void> {
  // The open page learns it by the event, or by its next call, and says why.
  await merchant.waitForURL(/\/login/)
  await merchant
    .getByRole('alert')
    .getByText(/account is frozen.*Asked by phone/)
    .waitFor()
  // So does another window, which finds no session any more.
  await other.goto(url)
  await other
    .getByText(/account is frozen.*Asked by phone/)
    .first()
    .waitFor()
}

test('reviews a merchant, sets its limits and freezes it, each in the log with what it changed', async t => {
  const merchant = await newPage(t, { as: { token: await newAccount(url, newEmail('corner')) } })
  await merchant.goto(`${url}/openAuthPage`)
  await merchant.getByLabel('Merchant name').fill('Corner shop')
  await merchant.getByRole('button', { name: 'Submit for review' }).click()
  await merchant.getByRole('heading', { name: 'Review status' }).waitFor()

  const entrance = await newPage(t)
  await entrance.goto(`${url}/sandbox`)
  const opened = entrance.waitForEvent('popup')
  await entrance.getByRole('link', { name: 'Operator’s console' }).click()
  const page = await opened
  await page.getByRole('link', { name: '1 permission request to review' }).click()
  await page.getByRole('link', { name: 'Corner shop' }).click()
  const act = async (name: string, fill: (dialog: Locator) => Promise<unknown> = async () => {}) => {
    await page.getByRole('button', { name, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await fill(dialog)
    await dialog.getByRole('button', { name, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await act('Refuse', dialog => dialog.getByLabel('Reason').fill('The website does not open'))
  await merchant.getByRole('link', { name: 'Correct and submit again' }).click()
  await merchant.getByText('The website does not open').waitFor()
  await merchant.getByRole('button', { name: 'Submit for review' }).click()
  await merchant.getByRole('heading', { name: 'Review status' }).waitFor()
  await page.reload()
  await act('Request documents', dialog => dialog.getByLabel('Which documents').fill('An extract of the register'))
  await page.getByText('requested documents').waitFor()
  await merchant.getByText('An extract of the register').waitFor()
  await merchant.getByRole('link', { name: 'Answer with text and pictures' }).click()
  await merchant.getByRole('heading', { name: 'Documents that we need' }).waitFor()
  await act('Approve')
  await page.getByText('Completed').waitFor()
  await act('Set risk level', async dialog => {
    await dialog.getByLabel('Risk level').selectOption('excellent')
    await dialog.getByLabel('Reason, for other').fill('Known for years')
  })
  await page.getByText('Risk: Excellent').waitFor()
  await page.getByText(/^Known for years · operator/).waitFor()
  await act('Change', fillTerms)
  await page.getByText('1,250 USDT', { exact: true }).waitFor()
  const other = await merchant.context().newPage()
  await other.goto(`${url}/workOrder`)
  await act('Freeze', async dialog => {
    await dialog.getByLabel('Reason', { exact: true }).fill('Asked by phone')
    await dialog.getByRole('switch').check()
  })
  await page.getByText('Frozen', { exact: true }).waitFor()
  await assertToldFrozen(merchant, other)
  // Whoever requested it waits for somebody else.
  const [session] = await Promise.all([page.waitForResponse(/operator\/v1\/session$/), page.reload()])
  const request = {
    call: 'POST /api/operator/v1/merchants/:id/unfreeze',
    object: page.url().split('/').at(-1),
    reason: 'Settled',
    who: [(await session.json()).data],
  }
  await decisionsAre(page, request)
  await page.reload()
  await page.getByText('You have requested it. It is waiting for another operator.').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Unfreeze' }).isDisabled())
  await page.getByRole('link', { name: 'Log' }).click()
  const row = page.getByRole('row', { name: /Froze the merchant/ }).first()
  await row.getByText('frozen: no → yes').waitFor()
  await row.getByText('reason shown: yes').waitFor()
})

test('adds a passkey and signs in with it', async t => {
  const page = await newPage(t)
  const consoleUrl = await openConsole(page)
  await page.goto(`${consoleUrl}/operators`)
  const link = await addOperator(page, 'passkey@example.com', 'finance')
  const own = await newPage(t, { own: true })
  const { session, authenticatorId } = await addAuthenticator(own)
  await standInForPush(own, 'https://push.example/console')
  await activate(own, consoleUrl, link, { passkey: true })
  await showAlerts(own, consoleUrl, 'https://push.example/console')
  await own.getByRole('button', { name: 'Sign out' }).click()

  const byPasskey = own.getByRole('button', { name: 'Sign in with a passkey' })
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await byPasskey.click()
  await own.getByText('The passkey was not used').waitFor()
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await byPasskey.click()
  await own.getByText('passkey@example.com · Finance').waitFor()
})

test('a payout above the signer’s limit waits until somebody releases it with a passkey', async t => {
  const owner = await newPage(t)
  const consoleUrl = await openConsole(owner)
  await owner.goto(`${consoleUrl}/operators`)
  const link = await addOperator(owner, 'release@example.com', 'finance')
  const own = await newPage(t)
  await addAuthenticator(own)
  await activate(own, consoleUrl, link, { passkey: true })
  const key = await own.getByText(/^M(Fkw|Cow)/).textContent()

  // The operator writes the key into the signer's policy.
  const path = join(sandbox.data, 'signer', 'policy.json')
  const policy = JSON.parse(await readFile(path, 'utf8'))
  const tokens = Object.keys(policy.eth.assets).filter(asset => asset !== 'native')
  const above = Object.fromEntries(tokens.map(token => [token, '20000000']))
  policy.eth.passkeys = { rpId: 'localhost', origin: consoleUrl, keys: [key], above }
  await writeFile(path, JSON.stringify(policy))
  await sandbox.end('SIGTERM')
  await sandbox.startAgain()

  const shop = await newShop(url, 'Large')
  await takePayment(url, shop, { out_trade_no: 'large-1', amount: '100' })
  const merchant = await newPage(t, { as: shop })
  await merchant.goto(`${url}/withdraw?id=eth%3AUSDT`)
  await merchant.getByRole('option', { name: /99\.\d+ available/ }).waitFor({ state: 'attached' })
  await merchant.getByLabel('Receiving address').fill('0x8ba1f109551bd432803012645ac136ddd64dba72')
  await merchant.getByLabel('Amount', { exact: true }).fill('60')
  await merchant.getByRole('button', { name: 'Continue' }).click()
  const dialog = merchant.getByRole('dialog', { name: 'Confirm the withdrawal' })
  await fillCode(dialog, url, shop.email)
  await merchant.keyboard.press('Enter')
  const record = merchant.getByRole('dialog', { name: 'Withdrawal', exact: true })
  await record.getByText('Payouts of this size are released by a person').waitFor({ timeout: 120_000 })

  await own.goto(`${consoleUrl}/withdrawals`)
  const row = own.getByRole('table', { name: 'Waiting for a passkey' }).getByRole('row').filter({ hasText: 'USDT' })
  await row.getByRole('button', { name: 'Release with a passkey' }).click()
  const release = own.getByRole('dialog')
  await release.getByText(/8ba1/i).waitFor()
  await release.getByRole('button', { name: 'Release with a passkey' }).click()
  await own.getByText('Released. It is sent within a minute').waitFor()
  await record.getByText('Accomplish').first().waitFor({ timeout: 120_000 })
  await own.reload()
  await own.getByRole('heading', { name: 'Withdrawals', level: 1 }).waitFor()
  assert.equal(await own.getByText('Waiting for a passkey').count(), 0)
})

test('says on every page whether all money is accounted for, and that some is missing', async t => {
  const page = await newPage(t)
  const consoleUrl = await openConsole(page)
  await page.getByText(/^All money accounted for, compared (just now|1 min ago)$/).waitFor()
  const database = await openDatabase(t)
  // The books have more than the chain, as after a theft. No other test withdraws from this chain.
  await database.query(
    `update ledger_checkpoints set chain = chain + 111906 * 10::numeric ^ 18 where asset_id = 'bsc:USDT'`,
  )
  await page.goto(`${consoleUrl}/log`)
  const alert = page.getByRole('alert').filter({ hasText: '111,906.00 USDT missing on BNB Smart Chain' })
  await alert.getByText(/since \d\d:\d\d, withdrawals stopped/).waitFor()
  await page.goto(consoleUrl)
  await page.getByRole('row', { name: /USDT\s+BNB Smart Chain Money is missing/ }).waitFor()
  // On a phone there are no columns to name, also while rows are read and where there are none.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${consoleUrl}/orders?text=none-like-it`)
  await page.getByText('Nothing matches these filters').waitFor()
  assert.equal(await page.getByRole('columnheader').count(), 0)
  await page.route('**/operator/v1/liquidity', () => {})
  await page.goto(consoleUrl)
  await page.getByText('Funds by asset').waitFor()
  assert.equal(await page.getByRole('columnheader').count(), 0)
})

test('has a page for unknown paths, names the zone of its times, and shows a merchant in parts and in words', async t => {
  const page = await newPage(t)
  const consoleUrl = await openConsole(page)
  await page.goto(`${consoleUrl}/nothing/here`)
  await page.getByText('Sorry, not found this page.').waitFor()
  await page.getByText('Time zone: UTC').waitFor()
  const shop = await newMerchant(url, 'parts')
  await call(url, '/api/v1/public/email/send-verification-code', { type: 10 }, shop.token)
  await page.goto(`${consoleUrl}/merchants/${shop.mchid}`)
  await page.getByRole('heading', { name: 'Balances' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Account log' }).count(), 0)
  await page.getByRole('tab', { name: 'Account and activity' }).click()
  await page.getByText('Email · Binding a phone').waitFor()
  assert.match(page.url(), /part=account$/)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${consoleUrl}/money`)
  const row = page.getByRole('row').filter({ hasText: 'Hot wallet' }).first()
  const topOf = async (text: string) => (await row.getByRole('button').filter({ hasText: text }).boundingBox())?.y
  const tops = [await topOf('Sweep now'), await topOf('Cancel nonce'), await topOf('Halt')]
  assert.equal(new Set(tops).size, 1, 'three buttons in one row')
})

test('a halted wallet and a request for two operators are whole at 1440, in Chinese with its own marks', async t => {
  const page = await newPage(t)
  await page.addInitScript(() => localStorage.setItem('language', 'zh-CN'))
  await page.setViewportSize({ width: 1440, height: 900 })
  const entry = await call<{ url: string }>(url, '/sandbox/console')
  await page.goto(entry.url)
  await page.getByRole('button', { name: '退出登录' }).waitFor()
  const { origin } = new URL(entry.url)
  const database = await openDatabase(t)
  const halt = 'coin_left | 1234.5 BNB | 409 | 2026-11-29T12:31:00.000Z | 1.08 BNB'
  await database.query(`update wallets set halted = $1 where chain_id = 'bsc' and role = 'hot'`, [halt])
  await page.goto(`${origin}/money`)
  await page.getByText('有 1,234.5 BNB 流出').waitFor()
  const cut = (of: Page) =>
    of
      .locator('table')
      .evaluateAll(tables => tables.filter(each => each.scrollWidth > each.parentElement!.clientWidth).length)
  assert.equal(await cut(page), 0, 'no table is wider than its card')
  const english = await newPage(t)
  await openConsole(english)
  await english.goto(`${origin}/money`)
  await english.getByRole('button', { name: 'Move all to the treasury' }).waitFor()
  assert.equal(await cut(english), 0, 'nor in English')
  await database.query(`update wallets set halted = null where chain_id = 'bsc'`)
  const { mchid } = await newMerchant(url, 'marks')
  const request = {
    call: 'PUT /api/operator/v1/merchants/:id/terms',
    object: mchid,
    what: { withdraw_day_max: 50_000 },
    merchant: 'marks Ltd',
    reason: 'Invoices',
    who: [{ id: 'other', email: 'other@coffer.example' }],
  }
  await decisionsAre(page, request)
  await page.goto(origin)
  await page.getByRole('link', { name: `修改 marks Ltd（${mchid}）的费率与限额` }).waitFor()
  await page.getByText('24 小时限额：50,000 USDT').waitFor()
  for (const path of menu) {
    await change(page, path)
    const texts = (await page.locator('main').textContent())!
    assert.doesNotMatch(texts, /\p{Script=Han}[:;,]\s|\p{Script=Han} \(/u, path)
  }
})

test('has no serious axe findings on any page, in both themes and languages', async t => {
  const page = await newPage(t)
  const consoleUrl = await openConsole(page)
  const { mchid } = await newMerchant(url, 'looked')
  const found: string[] = []
  // As on the pages of merchants, the second time by the colors.
  for (const [colorScheme, language, rules] of [
    ['light', 'en', undefined],
    ['dark', 'zh-CN', ['color-contrast']],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(next => localStorage.setItem('language', next), language)
    await page.goto(consoleUrl)
    await settle(page)
    for (const path of [...menu, `/merchants/${mchid}`]) {
      await change(page, path)
      found.push(...(await faults(page, { rules })).map(fault => `${path} ${colorScheme} ${language}: ${fault}`))
    }
  }
  assert.deepEqual(found, [])
})
