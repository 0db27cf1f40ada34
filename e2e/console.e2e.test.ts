import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { launchBrowser, withContext } from '@coffer/local/testing/browser.ts'
import axe from 'axe-core'
import { generateSync } from 'otplib'
import type { Locator, Page } from 'playwright-core'
import { withSandbox } from './sandbox.ts'
import { password, register } from './steps.ts'

const browser = await launchBrowser()
after(() => browser.close())
const sandbox = await withSandbox({ after })

/** Opens the console from the page /sandbox, which signs in. */
async function openConsole(page: Page): Promise<string> {
  await page.goto(`${sandbox.url}/sandbox`)
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Operator’s console' }).click(),
  ])
  await popup.getByRole('button', { name: 'Sign out' }).waitFor()
  const url = new URL(popup.url()).origin
  await popup.close()
  return url
}

/** Adds an operator in the console and returns the one-time link. */
async function addOperator(page: Page, email: string, role: string): Promise<string> {
  await page.getByRole('button', { name: 'Add operator' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Role').selectOption(role)
  await dialog.getByRole('button', { name: 'Add operator' }).click()
  const link = await dialog.getByText('#invitation=').textContent()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  return link!
}

/** Activates an account by its link. Returns the key of its authenticator. */
async function activate(page: Page, url: string, link: string): Promise<string> {
  await page.goto(url + new URL(link).hash.replace(/^/, '/'))
  await page.getByLabel('New password').fill(password)
  const secret = await page.getByText(/^[A-Z2-7]{32,}$/).textContent()
  await page.getByLabel('Authenticator code').fill(generateSync({ secret: secret! }))
  await page.getByRole('button', { name: 'Activate and sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  return secret!
}

/** Serious and critical findings of axe, one line each. */
async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
  return violations
    .filter(each => each.impact === 'serious' || each.impact === 'critical')
    .flatMap(each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 160)}`))
}

const menu = [
  '/',
  '/merchants',
  '/withdrawals',
  '/orders',
  '/announcements',
  '/money',
  '/chains',
  '/queues',
  '/operators',
  '/log',
]

test('shows each role what it may do, and signs out one who is removed', async t => {
  const owner = await (await withContext(t, browser, { locale: 'en-US' })).newPage()
  const url = await openConsole(owner)
  await owner.goto(`${url}/operators`)
  const links = new Map<string, string>()
  for (const role of ['viewer', 'support', 'finance', 'owner'])
    links.set(role, await addOperator(owner, `${role}@example.com`, role))
  for (const [role, link] of links) {
    const page = await (await withContext(t, browser, { locale: 'en-US' })).newPage()
    await activate(page, url, link)
    await page.getByText(`${role}@example.com · ${role[0]!.toUpperCase()}${role.slice(1)}`).waitFor()
    await page.goto(`${url}/operators`)
    await page.getByRole('cell', { name: 'finance@example.com' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add operator' }).count(), role === 'owner' ? 1 : 0)
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

test('reviews a merchant, sets its limits and freezes it, each in the log with what it changed', async t => {
  const merchant = await (await withContext(t, browser, { locale: 'en-US' })).newPage()
  await register(merchant, sandbox.url, 'shop@example.com')
  await merchant.goto(`${sandbox.url}/openAuthPage`)
  await merchant.getByLabel('Merchant name').fill('Corner shop')
  await merchant.getByRole('button', { name: 'Submit for review' }).click()
  await merchant.getByRole('heading', { name: 'Review status' }).waitFor()

  const page = await (await withContext(t, browser, { locale: 'en-US' })).newPage()
  const url = await openConsole(page)
  await page.goto(url)
  await page.getByRole('link', { name: '1 opening to review' }).click()
  await page.getByRole('link', { name: 'Corner shop' }).click()
  const act = async (name: string, fill: (dialog: Locator) => Promise<unknown> = async () => {}) => {
    await page.getByRole('button', { name, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await fill(dialog)
    await dialog.getByRole('button', { name, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await act('Approve')
  await page.getByText('Completed').waitFor()
  await act('Risk level', async dialog => {
    await dialog.getByLabel('Risk level').selectOption('excellent')
    await dialog.getByLabel('Reason').fill('Known for years')
  })
  await page.getByText('Excellent').waitFor()
  await act('Change', dialog => dialog.getByLabel('Largest withdrawal').fill('250'))
  await page.getByText('250 USDT').waitFor()
  await act('Freeze', dialog => dialog.getByLabel('Reason').fill('Asked by phone'))
  await page.getByText('Frozen', { exact: true }).waitFor()
  await merchant.goto(`${sandbox.url}/record`)
  await merchant.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByRole('link', { name: 'Log' }).click()
  const row = page.getByRole('row', { name: /merchants\/:id\/freeze/ }).first()
  await row.getByText(/frozen: false/).waitFor()
  await row.getByText(/frozen: true/).waitFor()
})

test('adds a passkey and signs in with it', async t => {
  const page = await (await withContext(t, browser, { locale: 'en-US' })).newPage()
  const url = await openConsole(page)
  await page.goto(`${url}/operators`)
  const link = await addOperator(page, 'passkey@example.com', 'finance')
  const own = await (await withContext(t, browser, { locale: 'en-US' })).newPage()
  const session = await own.context().newCDPSession(own)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  })
  const here = url.replace('127.0.0.1', 'localhost')
  const secret = await activate(own, here, link)
  await own.goto(`${here}/operators`)
  const dialog = own.getByRole('dialog')
  const confirm = async () => {
    await own.getByText('Confirm it is you').waitFor()
    await dialog
      .getByLabel('Authenticator code')
      .fill(generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 }))
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }
  await own.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  // The code that activated the account was used; the next one is accepted already.
  await confirm()
  await own.getByRole('cell', { name: 'Laptop' }).waitFor()
  await own.getByRole('button', { name: 'Sign out' }).click()

  const byPasskey = own.getByRole('button', { name: 'Sign in with a passkey' })
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await byPasskey.click()
  await own.getByText('The passkey was not used').waitFor()
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await byPasskey.click()
  await own.getByText('passkey@example.com · Finance').waitFor()
})

test('has no serious axe findings on any page, in both themes and languages', async t => {
  const page = await (await withContext(t, browser, { locale: 'en-US' })).newPage()
  const url = await openConsole(page)
  const found: string[] = []
  for (const [colorScheme, language] of [
    ['light', 'en'],
    ['dark', 'zh-CN'],
  ] as const) {
    await page.goto(url)
    await page.emulateMedia({ colorScheme })
    await page.evaluate(next => localStorage.setItem('language', next), language)
    for (const path of menu) {
      await page.goto(url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      found.push(...(await faults(page)).map(fault => `${path} ${colorScheme} ${language}: ${fault}`))
    }
  }
  assert.deepEqual(found, [])
})
