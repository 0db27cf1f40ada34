import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import type { Locator, Page } from 'playwright-core'
import { call, codeSentTo, newEmail, newShop, password, takePayment } from './merchants.ts'
import { assertAccessible, fillCode, tabTo } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

/** An address of nobody. */
const outside = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const asset = 'eth:USDT'

/** Fills in the form up to the confirmation, which shows the whole address. */
async function fillIn(page: Page, amount: string): Promise<void> {
  await page.goto(`${url}/withdraw?id=${encodeURIComponent(asset)}`)
  await page.getByLabel('Receiving address').fill(outside.toLowerCase())
  await page.getByText('Valid address.').waitFor()
  await page.getByLabel('Amount', { exact: true }).fill(amount)
}

/** Confirms with an email code. */
async function confirm(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm the withdrawal' })
  await fillCode(dialog, url, email)
  const shown = await dialog.getByRole('definition').allTextContents()
  assert.ok(shown.includes(outside), `the whole address is shown: ${shown}`)
  await assertAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Withdrawal', exact: true }).waitFor()
}

/** Opens a page of a merchant who has 199.2 USDT. */
async function openPayee(t: Parameters<typeof newPage>[0]) {
  const shop = await newShop(url, 'Payee')
  await takePayment(url, shop, { out_trade_no: 'w-1', amount: '200' })
  return { page: await newPage(t, { as: shop }), email: shop.email }
}

/** Signs in after the session of an open page has ended. */
async function signInAgain(page: Page, email: string): Promise<void> {
  await page.evaluate(() => localStorage.setItem('token', 'ended'))
  await page.reload()
  await page.getByText('Login expired').waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Withdraw', level: 1 }).waitFor()
}

/** Cancels the withdrawal that a drawer shows, and closes it. */
async function cancelShown(page: Page, drawer: Locator): Promise<void> {
  await drawer.getByRole('button', { name: 'Cancel the withdrawal' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel this withdrawal?' })
  // Each button says what comes of it: "Cancel" alone might be either.
  const answers = question.getByRole('button').filter({ hasText: /\S/ })
  assert.deepEqual(await answers.allTextContents(), ['Keep withdrawal', 'Cancel withdrawal'])
  await question.getByRole('button', { name: 'Cancel withdrawal' }).click()
  await drawer.getByText('Canceled').first().waitFor()
  await drawer.getByRole('button', { name: 'Close' }).click()
}

test('explains every check, and waits for the operator above the limit of the installation', async t => {
  const { page, email } = await openPayee(t)
  // The assets lead to the form.
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
  await fillIn(page, '0.000001')
  await page.getByText('The amount is too small.').waitFor()
  const amount = page.getByLabel('Amount', { exact: true })
  for (const wrong of ['0', 'abc', '1e3']) {
    await amount.fill(wrong)
    await page.getByText('Please enter a correct amount').waitFor()
    await amount.fill('')
  }
  await amount.fill('1.1234567')
  await page.getByText(/decimals?/).waitFor()
  await amount.fill('')
  await amount.pressSequentially('1,500')
  await page.getByText('“1,500” may mean 1500 or 1.5. Enter one of them.').waitFor()
  await amount.fill('1,5')
  await page.getByText('Read as 1.50').waitFor()
  await page.getByText('Actual amount received').waitFor()
  // What was typed outlives a reload and an expired session, after which the same page opens.
  await signInAgain(page, email)
  await page.getByText('What you had entered before was restored').waitFor()
  assert.equal(await amount.inputValue(), '1,5')
  // What is being replaced stays readable.
  const request = page.waitForRequest('**/account/cost*amount=1.6*')
  await page.route('**/account/cost*', () => {})
  await amount.fill('1.6')
  await request
  await assertAccessible(page)
  await page.unroute('**/account/cost*')
  await amount.fill('500')
  await page.getByText('Insufficient balance: the amount').waitFor()
  await page.getByRole('button', { name: /^Max/ }).click()
  await page.getByText('A second person must approve this withdrawal before it is sent.').waitFor()

  // Above the limit of the policy it waits, and can be cancelled.
  await fillIn(page, '120')
  await page.getByText('A second person must approve this withdrawal before it is sent.').waitFor()
  await confirm(page, email)
  const drawer = page.getByRole('dialog', { name: 'Withdrawal', exact: true })
  await drawer.getByText('Auditing').waitFor()
  await assertAccessible(page)
  await cancelShown(page, drawer)
  await page.getByRole('row').filter({ hasText: '120.00' }).getByText('Canceled').waitFor()

  // The export has the rows of the list.
  await page.goto(`${url}/record/withdrawal?status=6`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  assert.match(download.suggestedFilename(), /^WithdrawalRecord.*\.xlsx$/)
})

test('a rule of the merchant is in force at once, since it is stricter, and somebody else approves above it', async t => {
  const { page, email } = await openPayee(t)
  const approver = newEmail('approver')
  await page.goto(`${url}/property/WithdrawSetting`)
  await page.getByRole('switch', { name: 'Per-withdrawal limit' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Please enter a correct amount').waitFor()
  await page.getByLabel('Limit in USDT').fill('40')
  await page.getByRole('switch', { name: 'Confirmation by passkey' }).check()
  // What was just switched on is not wrong yet.
  assert.notEqual(await page.getByLabel('Above, in USDT').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Above, in USDT').fill('35')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Add a passkey under Account security first.').waitFor()
  await page.getByRole('switch', { name: 'Confirmation by passkey' }).uncheck()
  await page.getByRole('switch', { name: 'Second approval' }).check()
  await page.getByLabel('Above, in USDT').fill('20')
  await page.getByLabel('Email of the approver').fill(approver)
  await page.getByRole('button', { name: 'Save' }).click()
  const save = page.getByRole('dialog', { name: 'Save the withdrawal settings' })
  await fillCode(save, url, email)
  await page.keyboard.press('Enter')
  await page.getByText('Rules saved and in effect', { exact: true }).waitFor()
  // Deposits are collected at a click, with their gas shown before.
  await page.getByRole('button', { name: 'Aggregate now on Ethereum' }).click()
  const collect = page.getByRole('dialog', { name: 'Aggregate now on Ethereum' })
  await collect.getByText(/≈ .*USDT/).waitFor()
  await collect.getByRole('button', { name: 'Aggregate now' }).click()
  await page.getByText('Fund aggregation requested').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Ethereum' }).getByText('Nothing to aggregate').waitFor()
  await fillIn(page, '45')
  await page.getByText('Your single withdrawal amount is too large.').waitFor()

  // Above the merchant's own limit somebody else decides, by a link and with a code of their own.
  await fillIn(page, '30')
  await confirm(page, email)
  await page.getByRole('dialog', { name: 'Withdrawal', exact: true }).getByText(approver).waitFor()
  const link = await until('a link is mailed', async () => {
    const { list } = await call<{ list: { text: string }[] }>(url, `/sandbox/inbox?to=${approver}`)
    return list.map(({ text }) => /\/approve#[\w-]{43}/.exec(text)?.[0]).find(Boolean)
  })
  const second = await newPage(t)
  await second.goto(`${url}${link}`)
  await second.getByRole('heading', { name: 'Approve a withdrawal' }).waitFor()
  await second.getByRole('button', { name: 'Send code' }).click()
  const code = second.getByLabel('Verification code')
  await code.fill('12345')
  await second.getByRole('button', { name: 'Approve', exact: true }).click()
  await second.locator('#code:focus[aria-invalid="true"]').waitFor()
  await code.fill(await codeSentTo(url, approver))
  await assertAccessible(second)
  await second.getByRole('button', { name: 'Approve', exact: true }).click()
  const approved = second.getByRole('heading', { name: 'You approved this withdrawal' })
  await approved.waitFor()
  // Another link in this tab changes only the fragment, and shows its own withdrawal.
  await second.goto(`${url}/approve#${'x'.repeat(43)}`)
  await approved.waitFor({ state: 'detached' })
  await second.getByRole('heading', { name: 'This link cannot be opened' }).waitFor()
  assert.equal(await second.getByRole('button', { name: 'Try again' }).count(), 0, 'it never will be')
  await page.reload()
  await page.getByRole('dialog', { name: 'Withdrawal', exact: true }).getByText('Approved by').waitFor()
})

test('by keyboard in Chinese: a closed tab asks for nothing, a used code is refused, a second press adds nothing', async t => {
  const { page, email } = await openPayee(t)
  await fillIn(page, '30')
  await confirm(page, email)
  const used = await codeSentTo(url, email)
  await page.evaluate(() => localStorage.setItem('language', 'zh-CN'))
  const rows = page.getByRole('row').filter({ hasText: '15.00' })
  const closing = await page.context().newPage()
  const { dialog: abandoned } = await reviewByKeyboard(closing)
  await abandoned.getByRole('button', { name: '发送验证码' }).click()
  await abandoned.getByRole('button', { name: /秒后重发/ }).waitFor()
  await closing.close()
  await page.goto(`${url}/record/withdrawal`)
  await page.getByRole('row').filter({ hasText: '30.00' }).waitFor()
  assert.equal(await rows.count(), 0, 'nothing was requested')
  const { dialog, keyboard } = await reviewByKeyboard(page)
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
async function reviewByKeyboard(page: Page) {
  const { keyboard } = page
  await page.goto(`${url}/withdraw?id=${encodeURIComponent(asset)}`)
  await tabTo(page, page.getByLabel('收款地址'))
  await keyboard.type(outside.toLowerCase())
  await page.getByText('地址有效，').waitFor()
  await tabTo(page, page.getByLabel('提现金额', { exact: true }))
  await keyboard.type('15')
  await page.getByText('实际到账金额').waitFor()
  await tabTo(page, page.getByRole('button', { name: '下一步' }))
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '确认提现' })
  await dialog.waitFor()
  return { dialog, keyboard }
}

test('a withdrawal that was restored says so, and can be cleared', async t => {
  const { page } = await openPayee(t)
  const restored = page.getByText('What you had entered before was restored.')
  const address = page.getByLabel('Receiving address')
  const amount = page.getByLabel('Amount', { exact: true })
  await fillIn(page, '20')
  await page.getByText('Actual amount received').waitFor()
  assert.equal(await restored.count(), 0, 'nothing was restored yet')
  await page.reload()
  await restored.waitFor()
  assert.deepEqual(
    [(await address.inputValue()).toLowerCase(), await amount.inputValue()],
    [outside.toLowerCase(), '20'],
  )
  await page.getByRole('button', { name: 'Clear it' }).click()
  await restored.waitFor({ state: 'detached' })
  assert.deepEqual([await address.inputValue(), await amount.inputValue()], ['', ''])
  // For good.
  await page.reload()
  await page.getByRole('heading', { name: 'Withdraw', level: 1 }).waitFor()
  await amount.waitFor()
  assert.deepEqual([await address.inputValue(), await amount.inputValue()], ['', ''])
  assert.equal(await restored.count(), 0)
})
