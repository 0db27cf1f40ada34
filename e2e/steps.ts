import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'

/** User actions shared by the tests. Elements are found by role and label, in English. */
export const password = 'Correct1Horse'

interface Answer<T> {
  code: number
  data: T
}

/** Calls a route of the sandbox. Throws unless the answer's code is 200. */
async function sandboxCall<T>(url: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/sandbox/${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Answer<T>
  assert.equal(answer.code, 200, `${path}: ${JSON.stringify(answer)}`)
  return answer.data
}

/** Returns the latest code sent to an email address. */
export async function codeSentTo(url: string, email: string): Promise<string> {
  const { list } = await sandboxCall<{ list: { code: string }[] }>(url, `inbox?to=${encodeURIComponent(email)}`)
  const code = list.find(letter => letter.code)?.code
  assert.ok(code, `no code was sent to ${email}`)
  return code
}

/** Registers with email, code and password, and waits for the page that comes first. */
export async function register(page: Page, url: string, email: string, first = 'Dashboard'): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByRole('link', { name: 'Create account' }).click()
  // Until the form is loaded, the sign-in form's field has the same label.
  await page.getByRole('heading', { name: 'Create account' }).waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('button', { name: /^Send again|\d+ s/ }).waitFor()
  await page.getByLabel('Verification code').fill(await codeSentTo(url, email))
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: first, level: 1 }).waitFor()
}

/** Applies for merchant permission, approves it as the operator, and waits for the page to show it. */
export async function openPermission(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/openAuth`)
  await page.getByRole('link', { name: 'Open merchant permission' }).click()
  await page.getByLabel('Merchant name').fill(name)
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByRole('heading', { name: 'Review status' }).waitFor()
  const { list } = await sandboxCall<{ list: { mchid: string; name: string }[] }>(url, 'merchants')
  const merchant = list.find(each => each.name === name)
  assert.ok(merchant, 'the merchant is not listed for review')
  await sandboxCall(url, 'merchants', { mchid: merchant.mchid, decision: 'approve' })
  await page.getByText('Merchant permission is open.').first().waitFor()
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
  await drawer.getByRole('button', { name: 'Send code' }).click()
  await drawer.getByRole('button', { name: /Resend in/ }).waitFor()
  await drawer.getByLabel('Email code').fill(await codeSentTo(url, await emailOf(page)))
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

/** Pays from the sandbox's wallet: the given amount, or the amount due. */
export const pay = (url: string, tradeNo: string, amount?: string): Promise<{ txid: string }> =>
  sandboxCall(url, 'pay', { trade_no: tradeNo, ...(amount && { amount }) })

/** Sends USDT on Ethereum from the sandbox's wallet to an address. */
export const send = (url: string, address: string, amount: string): Promise<{ txid: string }> =>
  sandboxCall(url, 'pay', { address, amount })

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

/** Serious and critical findings of axe, one line each. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
  return violations
    .filter(each => each.impact === 'serious' || each.impact === 'critical')
    .flatMap(each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 160)}`))
}
