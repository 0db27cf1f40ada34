import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import { openDeps } from '@coffer/server/cli/open.ts'
import { findCommand, runCommand } from '@coffer/server/cli/run.ts'
import { applyFor, codeSentTo, newAccount, newEmail, password } from './merchants.ts'
import { assertAccessible } from './steps.ts'
import { withWorld } from './world.ts'

const { url, sandbox, newPage } = await withWorld({ after })

test('signs in through the popup, is approved by command line, and sets a password', async t => {
  const page = await newPage(t)
  const email = newEmail('popup')

  const signIn = async (fill: boolean) => {
    await page.goto(`${url}/login`)
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: /^Continue with/ }).click()
    const popup = await opened
    await popup.getByLabel('Email').waitFor()
    if (!fill) return popup.close()
    await popup.getByLabel('Email').fill(email)
    await popup.getByLabel('Name (optional)').fill('Popup Ltd')
    await popup.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  }
  await signIn(false)
  await page.getByRole('button', { name: /^Continue with/, disabled: false }).waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem('token')), null)
  await signIn(true)

  const { deps, close } = openDeps({ PATH: process.env.PATH, COFFER_DATA: sandbox.data })
  t.after(close)
  const coffer = async (...words: string[]) => (await runCommand(deps, findCommand(words)!)).text
  const [, mchid] =
    new RegExp(`(M\\d{10}) +not opened +${email} +Popup Ltd`).exec(await coffer('merchant', 'list')) ?? []
  assert.ok(mchid, 'the account is not listed')
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const headers = { 'x-token': String(token), 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return (await (await fetch(`${url}/api/v1/${path}`, init)).json()) as {
      code: number
      data: { status: number }
    }
  }
  const approve = () => coffer('merchant', 'approve', mchid)
  assert.match(await approve(), /has not applied/)
  await applyFor(url, String(token), 'Popup Ltd')
  assert.match(await approve(), /is approved/)
  assert.match(await coffer('audit', 'verify'), /The audit log is complete/)
  assert.match(await coffer('chain', 'status'), /eth .* up to date/)

  assert.equal((await call('GET', 'user/info')).data.status, 3)
  await call('POST', 'public/email/send-verification-code', { type: 7 })
  const proof = { method: 'email', code: await codeSentTo(url, email) }
  const password = Buffer.from('Correct1Horse').toString('base64')
  const set = await call('PUT', 'user/password', { password, confirm_password: password, proof })
  assert.equal(set.code, 200)

  await coffer('merchant', 'freeze', mchid)
  // The page may already be navigating, which aborts the reload.
  await page.reload().catch(() => {})
  await page.waitForURL(/\/login/)
})

test('a click before the provider’s script has loaded waits for it; one that cannot load is reported', async t => {
  const config = await (await fetch(`${url}/api/v1/public/config`)).json()
  const { script_url } = (config as { data: { sign_in: { script_url: string } } }).data.sign_in
  const page = await newPage(t)
  let load = () => {}
  const requested = new Promise<void>(resolve => {
    load = resolve
  })
  let broken = false
  await page.route(`**${script_url}`, async route => {
    await requested
    await (broken ? route.abort() : route.continue())
  })
  const start = page.getByRole('button', { name: /^Continue with/ })
  await page.goto(`${url}/login`)
  await start.click()
  await page.getByRole('button', { name: /^Continue with/, disabled: true }).waitFor()
  const opened = page.waitForEvent('popup')
  load()
  const popup = await opened
  await popup.getByLabel('Email').waitFor()
  await popup.close()

  broken = true
  await page.reload()
  await start.click()
  await page.getByText('google client is not initialized').waitFor()
  broken = false
  const again = page.waitForEvent('popup')
  await start.click()
  await again
})

test('each form has its URL: deep links open it, Back leaves it, and a mailed code signs in', async t => {
  const page = await newPage(t)
  const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
  for (const [fragment, title] of [
    ['#register', 'Create account'],
    ['#forgot', 'Reset password'],
    ['#code', 'Sign in with a code'],
    ['#unknown', 'Sign in'],
  ] as const) {
    await page.goto(`${url}/login${fragment}`)
    await page.reload()
    await heading(title)
    assert.equal(await page.title(), `${title} · Coffer`)
  }
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill('kept@example.com')
  await page.getByRole('link', { name: 'Create account' }).click()
  await heading('Create account')
  assert.equal(await page.getByLabel('Email').inputValue(), 'kept@example.com')
  await page.goBack()
  await heading('Sign in')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await heading('Reset password')
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await heading('Sign in')
  await page.goBack()
  await heading('Reset password')

  const email = newEmail('coder')
  await newAccount(url, email)
  await page.goto(`${url}/login`)
  await page.getByRole('link', { name: 'Other ways' }).click()
  await page.getByRole('button', { name: 'Email code' }).click()
  await heading('Sign in with a code')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('button', { name: /Resend in/ }).waitFor()
  const code = await codeSentTo(url, email)
  const field = page.getByLabel('Verification code')
  await field.fill(code === '000000' ? '000001' : '000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Email verification code error or expired').waitFor()
  await field.fill(code)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
})

for (const [name, device] of Object.entries({
  desktop: {},
  'low desktop': { viewport: { width: 900, height: 700 } },
  phone,
  'small phone': { ...phone, viewport: { width: 320, height: 568 } },
})) {
  test(`on a ${name}, a reset says what it did until somebody signs in, and a toast covers neither heading nor button`, async t => {
    const page = await newPage(t, device)
    const email = newEmail('forgetful')
    await newAccount(url, email)
    await page.goto(`${url}/login#forgot`)
    await page.getByRole('heading', { name: 'Reset password' }).waitFor()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByText('Filled in from the sandbox inbox').waitFor()
    await page.getByLabel('New password').fill(`${password}2`)
    await page.getByLabel('Confirm password').fill(`${password}2`)
    await page.getByRole('button', { name: 'Set new password' }).click()
    const news = page.getByRole('main').getByRole('status')
    await news.getByText('all devices are signed out').waitFor()
    assert.equal(await page.locator('[data-toasts]').textContent(), '')
    await assertAccessible(page)
    for (const [fragment, button] of [['#register', 'Create account'] as const, ['', 'Sign in'] as const]) {
      await page.evaluate(
        `sessionStorage.setItem('notice', 'expired'); location.hash = '${fragment}'; location.reload()`,
      )
      const toast = page.locator('[data-toasts] > div')
      await toast.waitFor()
      const press = page.getByRole('main').getByRole('button', { name: button, exact: true })
      const boxes = [toast, page.getByRole('heading', { name: button }), press].map(each => each.boundingBox())
      const [over, heading, action] = await Promise.all(boxes)
      assert.ok(over && heading && action && over.y + over.height <= heading.y && heading.y < action.y)
    }
  })
}
