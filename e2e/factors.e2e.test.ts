import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { launchBrowser, withContext } from '@coffer/local/testing/browser.ts'
import type { CDPSession, Page } from 'playwright-core'
import { withSandbox } from './sandbox.ts'
import { codeSentTo, register } from './steps.ts'

const browser = await launchBrowser()
after(() => browser.close())
const sandbox = await withSandbox({ after })
/** Browsers make passkeys for names only. */
const url = sandbox.url.replace('127.0.0.1', 'localhost')

async function newPage(t: Parameters<typeof withContext>[0], options = {}): Promise<Page> {
  const page = await (await withContext(t, browser, options)).newPage()
  page.setDefaultTimeout(20_000)
  return page
}

/** Gives the page's browser an authenticator that answers at once. */
async function addAuthenticator(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page)
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

async function confirmByMail(page: Page, email: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send code' }).click()
  await dialog.getByRole('button', { name: /Resend in/ }).waitFor()
  await dialog.getByLabel('Email code').fill(await codeSentTo(sandbox.url, email))
}

async function addPasskey(page: Page, email: string, name: string) {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  if (await dialog.getByRole('tab', { name: 'Email' }).count()) await dialog.getByRole('tab', { name: 'Email' }).click()
  await confirmByMail(page, email)
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Passkey added.').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
}

async function leave(page: Page) {
  await page.evaluate(() => localStorage.removeItem('token'))
  await page.goto(`${url}/login`)
}

async function signInByPasskey(page: Page) {
  await page.getByRole('link', { name: 'Other ways' }).click()
  await page.getByRole('button', { name: 'Passkey' }).press('Enter')
}

test('passkeys sign in and confirm; a copied one is blocked, a removed one is refused', async t => {
  const page = await newPage(t)
  const { session, authenticatorId } = await addAuthenticator(page)
  const email = 'passkeys@example.com'
  await register(page, url, email)
  await page.goto(`${url}/accountInfo`)
  await addPasskey(page, email, 'Laptop')

  await leave(page)
  await signInByPasskey(page)
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  // The field for the email offers it, too; the virtual authenticator takes the offer.
  await leave(page)
  await page.getByLabel('Email').focus()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

  // Step up: the passkey confirms its own renewal of a factor without any code.
  await page.goto(`${url}/accountInfo`)
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill('Correct1Horse')
  await dialog.getByLabel('New password', { exact: true }).fill('Another1Horse')
  await dialog.getByLabel('Confirm password').fill('Another1Horse')
  await dialog.getByText('Your device asks for your fingerprint').waitFor()
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The passkey was not used').waitFor()
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Password changed.').waitFor()

  // A copy has fewer signatures than the original.
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
  const [credential] = credentials
  assert.ok(credential && credential.signCount > 1)
  await session.send('WebAuthn.clearCredentials', { authenticatorId })
  await session.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } })
  await leave(page)
  await signInByPasskey(page)
  await page.getByText('A copy of this passkey was used before').waitFor()
  await page.goto(`${url}/login#code`)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('button', { name: /Resend in/ }).waitFor()
  await page.getByLabel('Verification code').fill(await codeSentTo(sandbox.url, email))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await page.goto(`${url}/accountInfo`)
  await page.getByText('Blocked: a copy was used').waitFor()
  await page.getByRole('button', { name: 'Remove: Laptop' }).click()
  await confirmByMail(page, email)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Passkey removed.').first().waitFor()
  await page.getByText('Add at least two, on different devices').waitFor()
  await leave(page)
  await signInByPasskey(page)
  await page.getByText('The passkey could not be verified').waitFor()
})
