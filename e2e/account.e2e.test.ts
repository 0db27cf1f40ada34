import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launchBrowser, withContext } from '@coffer/local/testing/browser.ts'
import { until } from '@coffer/local/testing/until.ts'
import { generateSync } from 'otplib'
import type { Browser } from 'playwright-core'
import { withSandbox } from './sandbox.ts'
import { codeSentTo, createApplication, openPermission, password, register } from './steps.ts'

let browser: Browser
before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

test('requires a bound authenticator at sign-in and for sensitive changes, each code once', async t => {
  const sandbox = await withSandbox(t)
  const page = await (await withContext(t, browser)).newPage()
  page.setDefaultTimeout(20_000)
  const email = 'keeper@example.com'
  await register(page, sandbox.url, email)
  await openPermission(page, sandbox.url, 'Keeper')
  await createApplication(page, sandbox.url, { name: 'Kept shop', notifyUrl: '' })

  await page.goto(`${sandbox.url}/accountInfo`)
  await page.getByRole('button', { name: 'Bind: Authenticator' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const [secret] = /[A-Z2-7]{32}/.exec((await dialog.textContent()) ?? '') ?? []
  assert.ok(secret, 'the secret is not shown')
  await dialog.getByRole('button', { name: 'Bind', exact: true }).click()
  await page.getByRole('alert').getByText('Please enter the authenticator code').waitFor()
  // Each code works once; those of the step before and after the server's are accepted.
  const step = Math.floor(Date.now() / 30_000)
  const codeAfter = (steps: number) => generateSync({ secret, epoch: (step + steps) * 30 })
  const first = codeAfter(0)
  await dialog.getByLabel('Code from the new authenticator').fill(first)
  await dialog.getByRole('button', { name: 'Send code' }).click()
  await dialog.getByRole('button', { name: /Resend in/ }).waitFor()
  await dialog.getByLabel('Email code').fill(await codeSentTo(sandbox.url, email))
  await dialog.getByRole('button', { name: 'Bind', exact: true }).click()
  await page.getByText('Authenticator bound.').waitFor()

  await page.evaluate(() => localStorage.removeItem('token'))
  await page.goto(`${sandbox.url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Two-step verification' }).waitFor()
  assert.equal(
    await page.evaluate(() => localStorage.getItem('token')),
    null,
    'the token is stored before verification',
  )

  await page.getByLabel('Authenticator code').fill(first)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('Google code error').first().waitFor()

  await page.getByLabel('Authenticator code').fill(codeAfter(1))
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

  await page.goto(`${sandbox.url}/appManage`)
  const edit = async (label: string, text: string) => {
    await page.getByRole('button', { name: 'Edit Kept shop' }).first().click()
    await dialog.getByLabel(label).fill(text)
  }
  const save = () => dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await edit('Remark', 'nothing of money')
  assert.equal(await dialog.getByLabel('Authenticator code').count(), 0)
  await save()
  await page.getByText('Settings saved.').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
  await edit('Tolerance', '5')
  const code = dialog.getByLabel('Authenticator code')
  await save()
  await page.getByText('Please enter the authenticator code').first().waitFor()
  await until('the next code is accepted', () => Date.now() / 30_000 > step + 1)
  await code.fill(codeAfter(2))
  await save()
  await dialog.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Edit Kept shop' }).first().click()
  assert.equal(await dialog.getByLabel('Tolerance').inputValue(), '5')
})
