import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser, withContext } from '@coffer/local/testing/browser.ts'
import { Coffer } from '@coffer/sdk'
import type { Page } from 'playwright-core'
import { withSandbox } from './sandbox.ts'
import { codeSentTo, createApplication, openPermission, pay, register, tabTo } from './steps.ts'

const email = 'payee@example.com'
const approver = 'second@example.com'
/** An address of nobody. */
const outside = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const asset = 'eth:USDT'

/** Fills in the form up to the confirmation, which shows the whole address. */
async function fillIn(page: Page, url: string, amount: string): Promise<void> {
  await page.goto(`${url}/withdraw?id=${encodeURIComponent(asset)}`)
  await page.getByLabel('Receiving address').fill(outside.toLowerCase())
  await page.getByText('The form of the address is right.').waitFor()
  await page.getByLabel('Amount', { exact: true }).fill(amount)
}

/** Confirms with an email code. */
async function confirm(page: Page, url: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm the withdrawal' })
  await dialog.getByRole('button', { name: 'Send code' }).click()
  await dialog.getByRole('button', { name: /Resend in/ }).waitFor()
  const shown = await dialog.getByRole('definition').allTextContents()
  assert.ok(shown.includes(outside), `the whole address is shown: ${shown}`)
  await dialog.getByLabel('Email code').fill(await codeSentTo(url, email))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Withdrawal', exact: true }).waitFor()
}

test('a merchant withdraws: checks, quote, policy, proof, record and cancellation', async t => {
  const { url } = await withSandbox(t, { COFFER_WITHDRAW_APPROVAL_ABOVE: '50' })
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const page = await (await withContext(t, browser)).newPage()
  page.setDefaultTimeout(20_000)
  await register(page, url, email)
  await openPermission(page, url, 'Payee Ltd')
  const { secretKey } = await createApplication(page, url, { name: 'Payee', notifyUrl: '' })
  const coffer = new Coffer({ baseUrl: url, secretKey })
  const order = await coffer.createOrder({ out_trade_no: 'w-1', amount: '200', chain: 'eth', token: 'USDT' })
  await pay(url, order.trade_no)

  // The money arrives, and the assets lead to the form.
  await page.goto(`${url}/property`)
  const row = page.getByRole('row').filter({ hasText: 'USDT' }).filter({ hasText: 'Ethereum' })
  await row
    .getByText(/^199\./)
    .first()
    .waitFor()
  await row.getByRole('link', { name: 'Withdraw USDT on Ethereum' }).click()
  await page.getByRole('heading', { name: 'Withdraw', level: 1 }).waitFor()

  // Every check is explained before anything is sent.
  await page.getByLabel('Receiving address').fill('0x123')
  await page.getByText('The address format does not match the selected chain').waitFor()
  await fillIn(page, url, '0.000001')
  await page.getByText('The amount is too small.').waitFor()
  await page.getByLabel('Amount', { exact: true }).fill('500')
  await page.getByText('The balance is not enough').waitFor()
  await page.getByRole('button', { name: /^Set the largest amount/ }).click()
  await page.getByText('Somebody else must approve this withdrawal before it is sent.').waitFor()

  // Above the limit of the policy it waits, and can be cancelled.
  await fillIn(page, url, '60')
  await page.getByText('Somebody else must approve this withdrawal before it is sent.').waitFor()
  await confirm(page, url)
  const drawer = page.getByRole('dialog', { name: 'Withdrawal', exact: true })
  await drawer.getByText('Auditing').waitFor()
  await drawer.getByRole('button', { name: 'Cancel the withdrawal' }).click()
  await page.getByRole('button', { name: 'Yes, cancel it' }).click()
  await drawer.getByText('Canceled').first().waitFor()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('row').filter({ hasText: '60.00' }).getByText('Canceled').waitFor()

  // A rule of the merchant's own is in force at once, since it is stricter.
  await page.goto(`${url}/property/WithdrawSetting`)
  await page.getByRole('switch', { name: 'Limit of one withdrawal' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Please enter a correct amount').waitFor()
  await page.getByLabel('Limit in USDT').fill('40')
  await page.getByRole('switch', { name: 'Confirmation by passkey' }).check()
  await page.getByLabel('Above, in USDT').fill('35')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Add a passkey under Account security first.').waitFor()
  await page.getByRole('switch', { name: 'Confirmation by passkey' }).uncheck()
  await page.getByRole('switch', { name: 'Approval by somebody else' }).check()
  await page.getByLabel('Above, in USDT').fill('20')
  await page.getByLabel('Email of the approver').fill(approver)
  await page.getByRole('button', { name: 'Save' }).click()
  const save = page.getByRole('dialog', { name: 'Save the withdrawal settings' })
  await save.getByRole('button', { name: 'Send code' }).click()
  await save.getByRole('button', { name: /Resend in/ }).waitFor()
  await save.getByLabel('Email code').fill(await codeSentTo(url, email))
  await page.keyboard.press('Enter')
  await page.getByText('The rules are in force', { exact: true }).waitFor()
  // Deposits are collected at a click, with their gas shown before.
  await page.getByRole('button', { name: 'Collect now on Ethereum' }).click()
  const collect = page.getByRole('dialog', { name: 'Collect now on Ethereum' })
  await collect.getByText(/≈ .*USDT/).waitFor()
  await collect.getByRole('button', { name: 'Collect now' }).click()
  await page.getByText('Collection requested').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Ethereum' }).getByText('Nothing to collect').waitFor()
  await fillIn(page, url, '45')
  await page.getByText('Your single withdrawal amount is too large.').waitFor()

  // Above the merchant's own limit somebody else decides, by a link and with a code of their own.
  await fillIn(page, url, '30')
  await confirm(page, url)
  await page.getByRole('dialog', { name: 'Withdrawal', exact: true }).getByText(approver).waitFor()
  const inbox = await (await fetch(`${url}/sandbox/inbox?to=${approver}`)).text()
  const link = /\/approve#[\w-]{43}/.exec(inbox)?.[0]
  assert.ok(link, 'a link was mailed')
  const second = await (await withContext(t, browser)).newPage()
  second.setDefaultTimeout(20_000)
  await second.goto(`${url}${link}`)
  await second.getByRole('heading', { name: 'Approve a withdrawal' }).waitFor()
  await second.getByRole('button', { name: 'Send code' }).click()
  await second.getByRole('button', { name: /Resend in/ }).waitFor()
  await second.getByLabel('Verification code').fill(await codeSentTo(url, approver))
  await second.getByRole('button', { name: 'Approve', exact: true }).click()
  await second.getByRole('heading', { name: 'You approved this withdrawal' }).waitFor()
  await page.reload()
  await page.getByRole('dialog', { name: 'Withdrawal', exact: true }).getByText('Approved by').waitFor()

  // The export has the rows of the list.
  await page.goto(`${url}/record/withdrawal?status=6`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  assert.match(download.suggestedFilename(), /^WithdrawalRecord.*\.xlsx$/)

  // In Chinese and by keyboard alone: a tab closed in the middle asks for nothing, a used code is refused, a second click adds nothing.
  const used = await codeSentTo(url, email)
  await page.evaluate(() => localStorage.setItem('language', 'zh-CN'))
  const rows = page.getByRole('row').filter({ hasText: '15.00' })
  const closing = await page.context().newPage()
  const { dialog: abandoned } = await reviewByKeyboard(closing, url)
  await abandoned.getByRole('button', { name: '发送验证码' }).click()
  await abandoned.getByRole('button', { name: /秒后重发/ }).waitFor()
  await closing.close()
  await page.goto(`${url}/record/withdrawal`)
  await page.getByRole('row').filter({ hasText: '30.00' }).waitFor()
  assert.equal(await rows.count(), 0, 'nothing was asked for')
  const { dialog, keyboard } = await reviewByKeyboard(page, url)
  const code = dialog.getByLabel('邮箱验证码')
  await tabTo(page, code)
  await keyboard.type(used)
  await keyboard.press('Enter')
  await dialog.getByText(/验证码错误|正确的验证码/).waitFor()
  await tabTo(page, code)
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type(await codeSentTo(url, email))
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await page.getByRole('dialog', { name: '提现', exact: true }).or(page.getByText('提现申请已提交')).first().waitFor()
  await page.goto(`${url}/record/withdrawal`)
  await rows.first().waitFor()
  assert.equal(await rows.count(), 1, 'a second press asks for no second one')
})

/** Fills in a withdrawal of 15 in Chinese without a mouse, up to the confirmation. */
async function reviewByKeyboard(page: Page, url: string) {
  const { keyboard } = page
  page.setDefaultTimeout(20_000)
  await page.goto(`${url}/withdraw?id=${encodeURIComponent(asset)}`)
  await tabTo(page, page.getByLabel('收款地址'))
  await keyboard.type(outside.toLowerCase())
  await page.getByText('地址格式正确。').waitFor()
  await tabTo(page, page.getByLabel('提现金额', { exact: true }))
  await keyboard.type('15')
  await page.getByText('实际到账金额').waitFor()
  await tabTo(page, page.getByRole('button', { name: '下一步' }))
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '确认提现' })
  await dialog.waitFor()
  return { dialog, keyboard }
}
