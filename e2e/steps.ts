import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { until } from '@coffer/local/testing/until.ts'
import type Axe from 'axe-core'
import { generateSync } from 'otplib'
import type { Locator, Page } from 'playwright-core'
import { codeSentTo, password } from './merchants.ts'

/** User actions shared by the tests. Elements are found by role and label, in English. */

/** Has a code sent by a form or dialog, which fills it in from the sandbox's inbox. */
export async function fillCode(form: Page | Locator, url: string, email: string, label = 'Email code'): Promise<void> {
  await form.getByRole('button', { name: 'Send code' }).click()
  await form.getByText('Filled in from the sandbox inbox').waitFor()
  assert.equal(await form.getByLabel(label).inputValue(), await codeSentTo(url, email))
}

/** Registers with email, code and password, and waits for the page that comes first. */
export async function register(page: Page, url: string, email: string, first = 'Dashboard'): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByRole('link', { name: 'Create account' }).click()
  // Until the form is loaded, the sign-in form's field has the same label.
  await page.getByRole('heading', { name: 'Create account' }).waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  // The page reads the inbox itself.
  const inbox = page.getByRole('link', { name: 'Filled in from the sandbox inbox' })
  assert.equal(await inbox.getAttribute('href'), '/sandbox#inbox')
  await assertAccessible(page)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: first, level: 1 }).waitFor()
}

/** Applies for merchant permission, approves it as the operator, and waits for the page to show it. */
export async function openPermission(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/openAuth`)
  await page.getByRole('link', { name: 'Open merchant permission' }).click()
  await requestPermission(page, name)
}

/** The same on the page of the form. */
export async function requestPermission(page: Page, name: string): Promise<void> {
  await page.getByLabel('Merchant name').fill(name)
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByRole('heading', { name: 'Review status' }).waitFor()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('Merchant permission is open.').first().waitFor()
}

/**
 * Forgets the session and opens the login. A page that loses its session leads there by itself, and would abort the
 * visit.
 */
export async function leave(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/llms.txt`)
  await page.evaluate(() => localStorage.removeItem('token'))
  await page.goto(`${url}/login`)
}

/** Returns the email of the signed-in merchant. */
const emailOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const headers = { 'x-token': localStorage.getItem('token') ?? '' }
    const answer = await (await fetch('/api/v1/user/info', { headers })).json()
    return (answer as { data: { email: string } }).data.email
  })

/** Creates an application on /appManage and returns its secrets, which are shown once. */
export async function createApplication(
  page: Page,
  url: string,
  { name, notifyUrl }: { name: string; notifyUrl: string },
): Promise<{ secretKey: string; webhookSecret: string }> {
  await page.goto(`${url}/appManage`)
  await page.getByRole('button', { name: 'Create application' }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name', { exact: true }).fill(name)
  await drawer.getByLabel('Notify URL').fill(notifyUrl)
  await fillCode(drawer, url, await emailOf(page))
  await drawer.getByRole('button', { name: 'Create application' }).click()
  const secrets = page.getByRole('dialog', { name: 'Save these secrets now' })
  await secrets.waitFor()
  const secretKey = await secrets.getByText(/^sk_test_/).textContent()
  const webhookSecret = await secrets.getByText(/^whsec_/).textContent()
  assert.ok(secretKey && webhookSecret, 'the secrets are not shown')
  await secrets.getByRole('button', { name: 'I have saved them' }).click()
  const row = page.getByRole('cell', { name }).or(page.getByRole('listitem').filter({ hasText: name }))
  await row.first().waitFor()
  return { secretKey, webhookSecret }
}

/** More than the number of controls on any page. */
const mostTabs = 150

/** Presses Tab until the element has the focus. Fails when it cannot be reached. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < mostTabs; presses++) {
    if (await target.evaluate(element => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`the keyboard does not reach ${target}`)
}

/** Gives the page's browser an authenticator for passkeys that answers at once and verifies its user. */
export async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, authenticatorId }
}

const stepSeconds = 30

/**
 * Codes of an authenticator app, each once. The server also accepts those of the time steps before and after its own,
 * so that three codes can be had within a moment.
 */
export function authenticatorCodes(secret: string): () => Promise<string> {
  let last = 0
  return async () => {
    const now = () => Date.now() / 1_000 / stepSeconds
    // Late in a step, the code before it could expire on its way.
    const oldest = Math.floor(now() - 0.5)
    await until('the next code is accepted', () => Math.floor(now()) + 1 > last)
    last = Math.max(last + 1, oldest)
    return generateSync({ secret, epoch: last * stepSeconds })
  }
}

/** Asserts that axe finds nothing serious on a page as it stands, such as with the second step of a dialog. */
export const assertAccessible = async (page: Page): Promise<void> => assert.deepEqual(await faults(page), [])

/** Minified, as each page that is loaded reads it. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Where axe looks, by default everywhere, and by which rules, by default all. */
interface Look {
  /** Selector of what it looks at. */
  within?: string | undefined
  rules?: readonly string[] | undefined
}

/** Serious and critical findings of axe, one line each. */
export async function faults(page: Page, { within = 'html', rules }: Look = {}): Promise<string[]> {
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(axeSource)
  // Colors on their way from one theme to the other have no contrast to measure.
  await until('colors have changed', () =>
    page.evaluate('!document.getAnimations().some(each => each instanceof CSSTransition)'),
  )
  const { violations } = await page.evaluate(
    ([within, rules]) =>
      (globalThis as unknown as { axe: typeof Axe }).axe.run(within, {
        resultTypes: ['violations'],
        ...(rules && { runOnly: [...rules] }),
      }),
    [within, rules] as const,
  )
  return violations
    .filter(each => each.impact === 'serious' || each.impact === 'critical')
    .flatMap(each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 160)}`))
}

/**
 * Gives a page the browser's part of push messages: Chromium without a window denies notifications, and has no push
 * service.
 */
export async function standInForPush(page: Page, endpoint: string): Promise<void> {
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript(`
    Object.defineProperty(Notification, 'permission', { value: 'granted' })
    Notification.requestPermission = async () => 'granted'
    const endpoint = '${endpoint}'
    const keys = { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) }
    const made = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => sessionStorage.removeItem('made') }
    PushManager.prototype.getSubscription = async () => (sessionStorage.getItem('made') ? made : null)
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      sessionStorage.setItem('made', applicationServerKey)
      return made
    }`)
}

/** Delivers a push message to the service worker of a page. Returns what it showed: title, body, tag and data. */
export async function shownBy(page: Page, origin: string, payload: object): Promise<unknown> {
  const devtools = await page.context().newCDPSession(page)
  const known = new Promise<string>(resolve =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  const [worker] = page.context().serviceWorkers()
  await worker!.evaluate(
    'self.shown = []; registration.showNotification = async (title, { body, tag, data }) => void shown.push([title, body, tag, data])',
  )
  const data = JSON.stringify(payload)
  await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await known, data })
  await until('the notification is shown', () => worker!.evaluate('shown.length'))
  return worker!.evaluate('shown')
}

/** Answers the page's calls with one request for two operators. */
export const decisionsAre = (page: Page, { what = {}, ...request }: Record<string, unknown>) => {
  const list = [{ incident: '', chain: '', merchant: '', value: '0', asked_time: 1, ends_time: 2, what, ...request }]
  return page.route('**/operator/v1/decisions', route => route.fulfill({ json: { code: 200, data: { list } } }))
}

/** Activates an account by its link, and adds a passkey to it. */
export async function activate(page: Page, url: string, link: string, { passkey = false } = {}): Promise<void> {
  await page.goto(url + new URL(link).hash.replace(/^/, '/'))
  await page.getByLabel('New password').fill(password)
  const nextCode = authenticatorCodes((await page.getByText(/^[A-Z2-7]{32,}$/).textContent())!)
  await page.getByLabel('Authenticator code').fill(await nextCode())
  await page.getByRole('button', { name: 'Activate and sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  if (!passkey) return
  await page.goto(`${url}/operators`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Confirm it is you').waitFor()
  await dialog.getByLabel('Authenticator code').fill(await nextCode())
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('cell', { name: 'Laptop' }).waitFor()
}
