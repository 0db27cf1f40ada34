import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { phone } from '@coffer/local/testing/browser.ts'
import { call, codeSentTo, newMerchant, newShop, password, takePayment } from './merchants.ts'
import { fillCode } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage } = await withWorld({ after })

/** A held account is told so before a form is filled in. */
async function assertToldOfHold(t: TestContext, sender: { email: string; token: string }): Promise<void> {
  await call(url, '/api/v1/user/log/not-me', {}, sender.token)
  const credentials = { email: sender.email, password: Buffer.from(password).toString('base64') }
  const again = await call<{ token: string }>(url, '/api/v1/public/login', credentials)
  const held = await newPage(t, { as: again })
  await held.goto(`${url}/transfer`)
  await held.getByRole('button', { name: 'Continue', disabled: true }).waitFor()
  await held.getByRole('link', { name: 'Dashboard' }).click()
  await held.getByText('Withdrawals are on hold').waitFor()
  await held.getByText('You reported a suspicious sign-in.').waitFor()
}

test('transfers a balance to another merchant, who sees it arrive', async t => {
  const sender = await newShop(url, 'Sender')
  const receiver = await newMerchant(url, 'Receiver')
  await takePayment(url, sender, { out_trade_no: 't-1', amount: '50' })
  const page = await newPage(t, { as: sender })
  const other = await newPage(t, { as: receiver })
  await other.goto(`${url}/transfer/record`)
  await other.getByText('No transfers yet').waitFor()

  await page.goto(`${url}/transfer`)
  const token = page.getByLabel('Token')
  await token.selectOption({ index: 1 })
  const account = page.getByLabel('Recipient')
  await account.fill('nobody@example.com')
  await page.getByText('Merchant does not exist').waitFor()
  await account.fill(sender.email)
  await page.getByText('You cannot transfer to your own account').waitFor()
  await account.fill(receiver.email)
  await page.getByText('R***d').waitFor()
  await page.getByLabel('Amount').fill('50.01')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Insufficient balance').waitFor()
  await page.getByLabel('Amount').fill('12.5')
  await page.getByLabel('Note').fill('March rent')
  await page.getByRole('button', { name: 'Continue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm the transfer' })
  await dialog.getByText('12.5').waitFor()
  await fillCode(dialog, url, sender.email)
  const code = await codeSentTo(url, sender.email)
  await dialog.getByLabel('Email code').fill(code === '000000' ? '000001' : '000000')
  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
  await dialog.getByText('Email verification code error or expired').waitFor()
  await dialog.getByLabel('Email code').fill(code)
  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await page.getByLabel('Amount').inputValue(), '')

  await page.getByRole('link', { name: 'Transfer records' }).first().click()
  const row = page.getByRole('row', { name: /March rent/ })
  assert.match((await row.textContent()) ?? '', /Sent.*12\.5/)
  // Without a reload: the balance of the receiver changed.
  assert.match((await other.getByRole('row', { name: /March rent/ }).textContent()) ?? '', /Received.*12\.5/)

  // On a phone an amount has its unit, which a table has in another column.
  const small = await newPage(t, { as: sender, ...phone })
  for (const path of ['transfer/record', 'property/fundingDetails?type=transfer']) {
    await small.goto(`${url}/m/${path}`)
    await small
      .getByRole('listitem')
      .filter({ hasText: /−12.50\s*USDT/ })
      .waitFor()
  }

  // The fund flow leads to the transfer, and the records of it are exported.
  await page.goto(`${url}/property/fundingDetails?type=transfer`)
  await page.getByRole('link', { name: 'Transfer', exact: true }).first().click()
  await page.waitForURL(/\/transfer\/record\?id=[\w-]{36}$/)
  await row.waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  assert.match(download.suggestedFilename(), /^TransferRecord\d+\.xlsx$/)

  await assertToldOfHold(t, sender)
})
