import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { call, codeSentTo, newEmail, newShop, type Shop, takePayment } from './merchants.ts'
import { addAuthenticator, assertAccessible, fillCode } from './steps.ts'
import { withWorld } from './world.ts'

const { url, newPage, sandbox } = await withWorld({ after })

/** Addresses of nobody, with their checksums. */
const payees = [
  '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
]

/** Adds somebody in finance, who joined long ago, to a shop opened long ago, whose owners approve above 20 USDT. */
async function addFinance(shop: Shop): Promise<{ email: string; token: string }> {
  const email = newEmail('finance')
  const token = randomBytes(32).toString('base64url')
  const id = randomUUID()
  const database = new pg.Client({ host: join(sandbox.data, 'pg'), database: 'coffer', user: 'coffer' })
  await database.connect()
  try {
    const { rows } = await database.query('select id from merchants where mchid = $1', [shop.mchid])
    const now = Math.floor(Date.now() / 1_000)
    const hash = createHash('sha256').update(token).digest()
    const rules = JSON.stringify([{ kind: 'approval', above: '20', role: 'owner' }])
    await database.query(
      `with person as (
         insert into persons (id, realm, email, language, created_at) values ($2, 'shop', $3, 'en-US', 0) returning id
       ), member as (
         insert into members (person_id, merchant_id, role, since, created_at) select id, $1, 'finance', 1, 1 from person
       )
       update members set since = 1 where merchant_id = $1`,
      [rows[0].id, id, email],
    )
    await database.query(
      `insert into sessions (token_hash, id, person_id, merchant_id, pending, ip, device, fresh_until, created_at, last_seen)
       values ($1, $2, $3, $4, false, '', '', 0, $5, $5)`,
      [hash, randomUUID(), id, rows[0].id, now],
    )
    await database.query(
      `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, 'first', $2, 0, 0)`,
      [rows[0].id, rules],
    )
  } finally {
    await database.end()
  }
  return { email, token }
}

/** Asks for a withdrawal with a mailed code. */
async function ask({ email, token }: { email: string; token: string }, address: string, amount: string) {
  await call(url, '/api/v1/public/email/send-verification-code', { type: 8 }, token)
  const proof = { method: 'email', code: await codeSentTo(url, email) }
  await call(url, '/api/v1/account/withdrawal', { token_id: 'eth:USDT', address, amount, proof }, token)
}

async function addPasskey(page: Page, email: string) {
  await addAuthenticator(page)
  await page.goto(`${url}/accountInfo`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Laptop')
  await fillCode(dialog, url, email)
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('finance asks for three payouts, and the owner approves them with one passkey', async t => {
  const shop = await newShop(url, 'Together')
  await takePayment(url, shop, { out_trade_no: 'a-1', amount: '300' })
  const page = await newPage(t, { as: shop })
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await page.goto(`${url}/property`)
  await menu.getByRole('link', { name: 'Assets' }).waitFor()
  assert.equal(await menu.getByRole('link', { name: 'Waits for you' }).count(), 0, 'who works alone sees nothing of it')
  const finance = await addFinance(shop)
  await addPasskey(page, shop.email)

  await page.goto(`${url}/approvals`)
  await page.getByText('Nothing waits for you').waitFor()
  for (const [index, address] of payees.entries()) await ask(finance, address, String(30 + index))
  // It appears without a reload, here and in the menu.
  await menu.getByRole('link', { name: 'Waits for you 3' }).waitFor()
  const list = page.getByRole('list', { name: 'Withdrawals that wait for you' })
  await list.getByText(finance.email).first().waitFor()
  await list.getByText('Never paid before').first().waitFor()
  await assertAccessible(page)

  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByText('3 withdrawals selected').waitFor()
  await page.getByRole('button', { name: 'Approve', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Approve 3 withdrawals' })
  await dialog.getByRole('listitem').nth(2).waitFor()
  const shown = (await dialog.getByRole('listitem').allTextContents()).join(' ').replace(/\s/g, '')
  for (const address of payees) assert.ok(shown.includes(address), `the whole address is shown: ${shown}`)
  await assertAccessible(page)
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('3 withdrawals approved').waitFor()
  await page.getByText('Nothing waits for you').waitFor()
  assert.equal(await menu.getByRole('link', { name: 'Waits for you', exact: true }).count(), 1)

  // Who asked sees who approved, and why the next one is not paid.
  await ask(finance, payees[0]!, '40')
  await page.getByRole('button', { name: 'Reject 40.00 USDT' }).click()
  const reject = page.getByRole('dialog', { name: 'Reject the withdrawal' })
  await reject.getByLabel('Reason').fill('Invoice is missing')
  await reject.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('1 withdrawal rejected').waitFor()
  const asker = await newPage(t, { as: finance })
  await asker.goto(`${url}/record/withdrawal`)
  const row = (amount: string) => asker.getByRole('row').filter({ hasText: amount }).getByRole('button').first()
  await row('40.00').click()
  const drawer = asker.getByRole('dialog', { name: 'Withdrawal', exact: true })
  await drawer.getByText('Invoice is missing').first().waitFor()
  await drawer.getByRole('button', { name: 'Close' }).click()
  await row('32.00').click()
  await drawer.getByText(shop.email).first().waitFor()
})
