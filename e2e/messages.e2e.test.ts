import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import { call, newShop, takePayment } from './merchants.ts'
import { assertAccessible, fillCode } from './steps.ts'
import { withOwnWorld } from './world.ts'

interface Sent {
  method: string
  body: { chat_id?: string; text?: string; reply_markup?: { inline_keyboard: { url: string }[][] } }
}

/** A stand-in for the Bot API: what people wrote, and what the bot sent. */
const sent: Sent[] = []
const updates: object[] = []
const waiting = new Set<() => void>()
const telegram = createServer(async (request, response) => {
  let text = ''
  for await (const part of request) text += part
  const method = request.url?.split('/').pop() ?? ''
  const body = JSON.parse(text || '{}')
  let result: unknown = {}
  if (method === 'getMe') result = { username: 'coffer_bot' }
  if (method === 'getUpdates') {
    const fresh = () => updates.filter(each => (each as { update_id: number }).update_id >= body.offset)
    if (fresh().length === 0) {
      await new Promise<void>(done => {
        waiting.add(done)
        request.on('close', done)
      })
    }
    result = fresh()
  }
  if (method === 'sendMessage') sent.push({ method, body })
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }))
})
await new Promise<void>(done => telegram.listen(0, '127.0.0.1', done))
after(() => telegram.closeAllConnections())
after(() => telegram.close())

const slack = 'https://hooks.slack.com/services/T0/B0/secret'
const { url, sandbox, newPage } = await withOwnWorld(
  { after },
  {
    COFFER_TELEGRAM_TOKEN: `7:${'t'.repeat(35)}`,
    COFFER_TELEGRAM_URL: `http://127.0.0.1:${(telegram.address() as AddressInfo).port}`,
  },
)

/** Writes to the bot, as somebody who opened a link. */
function write(text: string) {
  const chat = { id: 70, type: 'private', username: 'ann' }
  updates.push({ update_id: updates.length + 1, message: { text, chat } })
  for (const wake of waiting) wake()
  waiting.clear()
}

test('a merchant links Telegram and a group of Slack, and gets a payment in both', async t => {
  const shop = await newShop(url, 'Bell')
  const page = await newPage(t, { as: shop })
  await page.goto(`${url}/accountInfo`)
  await page.getByRole('link', { name: 'Messages' }).click()
  await page.getByRole('heading', { name: 'Chats and systems' }).waitFor()
  await assertAccessible(page)

  await page.getByRole('button', { name: 'Link Telegram' }).click()
  const dialog = page.getByRole('dialog')
  await fillCode(dialog, url, shop.email)
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = await dialog.getByRole('link', { name: 'Open Telegram' }).getAttribute('href')
  await assertAccessible(page)
  write(`/start ${new URL(link ?? '').searchParams.get('start')}`)
  await page.getByText('Telegram is linked').waitFor()
  await page.getByText('Telegram @ann').waitFor()

  await page.getByRole('button', { name: 'Add a chat or system' }).click()
  await dialog.getByLabel('Address (URL)').fill(slack)
  await dialog.getByLabel('Name', { exact: true }).fill('Finance')
  await fillCode(dialog, url, shop.email)
  await dialog.getByRole('button', { name: 'Add a chat or system' }).click()
  await page.getByText('Slack', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send a test: Finance' }).click()
  await page.getByText('The test arrived').waitFor()

  const tradeNo = await takePayment(url, shop, { out_trade_no: 'told-1', amount: '12' })
  const inbox = `/sandbox/inbox?to=${encodeURIComponent(slack)}`
  await until('the group is told of the payment', async () => {
    const { list } = await call<{ list: { text: string }[] }>(url, inbox)
    return list.some(({ text }) => text.includes('told-1') && text.includes(`/record?trade_no=${tradeNo}`))
  })
  await until('the chat is told of it', async () =>
    sent.some(({ body }) => body.chat_id === '70' && body.text?.includes('told-1')),
  )

  await page.getByRole('button', { name: 'Remove: Finance' }).click()
  await page.getByText('Removed', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove: Finance' }).waitFor({ state: 'detached' })
})

test('a merchant chooses what is mailed and when, and goes back to what is usual', async t => {
  const shop = await newShop(url, 'Quiet')
  const page = await newPage(t, { as: shop })
  await page.goto(`${url}/user/messages`)
  await page.locator('summary').filter({ hasText: 'Callbacks' }).click()
  const mail = page.getByLabel('Callback timeout, Mail').first()
  await mail.selectOption('daily')
  await page.getByLabel('Quiet from').selectOption('22')
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('1 changed').click()
  await until('the choice was kept', async () => (await mail.inputValue()) === 'daily')
  await until('quiet hours were kept', async () => (await page.getByLabel('Quiet until').inputValue()) === '7')
  await page.getByRole('button', { name: 'Reset to defaults' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('1 changed').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Reset to defaults' }).waitFor({ state: 'detached' })
})

test('an operator sees whom no security message reached, and closes the incident once that person knows', async t => {
  const shop = await newShop(url, 'Unreached')
  const database = new pg.Client({ host: join(sandbox.data, 'pg'), database: 'coffer', user: 'coffer' })
  await database.connect()
  t.after(() => database.end())
  // As a mail server leaves it that knows no such mailbox; later than what the sign-in has sent there.
  await database.query(
    `insert into messages (id, realm, merchant_id, person_id, audience, channel, address, event, params, created_at, due_at,
       done_at, result, error)
     select 'unreached', 'shop', id, id, 'self', 'mail', email, 'account_authenticator_removed', '{}', at, at, at, 'refused',
       '550 5.1.1 no such user'
     from persons, (select extract(epoch from now())::bigint + 600 as at) t where email = $1`,
    [shop.email],
  )
  await until('the incident is open', async () => {
    const { rows } = await database.query(`select from incidents where kind = 'messages_lost' and resolved_at is null`)
    return rows.length > 0
  })
  const page = await newPage(t)
  const entry = await call<{ url: string }>(url, '/sandbox/console')
  await page.goto(entry.url)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.goto(`${new URL(entry.url).origin}/incidents`)
  const name = 'Security messages reached nobody'
  await page.getByRole('link', { name }).first().click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await page.getByText(new RegExp(`^${shop.email} \\(`)).waitFor()
  await page.getByText('550 5.1.1 no such user').first().waitFor()
  await page.getByText('Nothing is stopped by it.').waitFor()
  await assertAccessible(page)
  await page.getByRole('checkbox', { name: /^Reach the person another way/ }).click()
  await page.getByText('1 of 3 done').waitFor()
  await page.getByRole('button', { name: 'Close incident' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What was found and done').fill('Called the merchant, who has a new mailbox')
  await dialog.getByRole('button', { name: 'Close incident' }).click()
  await page.getByText('Closed', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Close incident' }).waitFor({ state: 'detached' })
})
