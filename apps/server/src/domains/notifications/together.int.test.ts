import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { ListedEvent } from '@coffer/contract/events.ts'
import { insertEvents } from '../../kit/outbox.ts'
import { withDeps } from '../../testing/deps.ts'
import { ownerOf, setTestRole, testMember } from '../../testing/members.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { listSentMessages } from './list-sent.ts'
import { makeMessageSender, sendDueMessages } from './sender.ts'

const made = await withDeps({ after })
/** Groups of chats, whose service answers as `outcome` says. */
let outcome: Awaited<ReturnType<typeof made.chat.post>> = { result: 'accepted' }
const deps = {
  ...made,
  chat: {
    post: async (...given: Parameters<typeof made.chat.post>) => {
      await made.chat.post(...given)
      return outcome
    },
  },
}

beforeEach(async () => {
  deps.chats.length = 0
  deps.mails.length = 0
  outcome = { result: 'accepted' }
  await deps.owner.query('delete from messages')
})

/** Adds a group of Slack, or a system, of a member. */
async function addChat(personId: string, merchantId: string, kind: 'slack' | 'hook' = 'slack') {
  const id = `${kind} ${personId}`
  const address = deps.seal.seal(`https://hooks.example/${id}`, { column: 'message_channels.address', row: id })
  await deps.owner.query(
    `insert into message_channels (id, person_id, merchant_id, kind, name, address, language, created_at)
     values ($1, $2, $3, $4, 'Ops', $5, 'en', 0)`,
    [id, personId, merchantId, kind, address],
  )
}

async function shopWithChat() {
  const { id } = await testMerchant(deps)
  await addChat(id, id)
  return id
}

let orders = 0
const payment = (amount: string, token = 'USDT', trade_no = String(++orders)) => ({
  amount,
  token,
  chain: 'Ethereum',
  trade_no,
})
const tell = (merchant_id: string, name: ListedEvent, ...all: Record<string, string>[]) =>
  insertEvents(
    deps.pool,
    all.map(params => ({ merchant_id, name, params, created_at: deps.clock() })),
  )
const deliver = () => sendDueMessages(deps)
const rows = async () => (await deps.owner.query('select * from messages order by created_at, id')).rows
const results = async () => (await rows()).map(row => row.result)
/** Makes what waits wait for the hour or the morning of its reader. */
const setMode = (mode: string) => deps.owner.query('update messages set mode = $1, due_at = null', [mode])

test('payments that are due together are one message, with their number and exact sums by token', async () => {
  const shop = await shopWithChat()
  const usdt = Array.from({ length: 10 }, (_, n) => payment(n === 0 ? '0.1' : '0.2'))
  await tell(shop, 'payment_paid', ...usdt.splice(0, 1))
  deps.pass(1)
  await tell(shop, 'payment_paid', ...usdt, payment('0.3', 'ETH'), payment('1000000000000000.000001', 'ETH'))
  await deliver()
  assert.equal(deps.chats.length, 1)
  const [chat] = deps.chats
  assert.equal(chat!.title, '12 payments, 1.90 USDT + 1,000,000,000,000,000.300001 ETH')
  assert.match(chat!.text, /^\d\d:\d\d · 0\.10 USDT on Ethereum for order \d+\.\n/)
  assert.match(chat!.text, /\nand 3 more$/)
  assert.equal(chat!.text.split('\n').length, 10)
  const { list } = await listSentMessages(deps, ownerOf(shop), 'en')
  assert.deepEqual(
    list.map(({ title, more, state }) => [title, more, state]),
    [['Payment received', 11, 'accepted']],
  )
  assert.deepEqual(
    [chat!.link, chat!.notes.split('\n')[0]],
    [`${deps.config.publicUrl}/record`, 'Times: 2 Jun 2025 (UTC)'],
  )
  assert.deepEqual(new Set(await results()), new Set(['accepted']))
})

test('a line says how many of each kind there are, and of an order the last total counts', async () => {
  const shop = await shopWithChat()
  const one = payment('5')
  const other = payment('2')
  await tell(shop, 'payment_partial', one)
  deps.pass(1)
  await tell(shop, 'payment_partial', { ...one, amount: '8' }, other)
  deps.pass(1)
  await tell(shop, 'payment_paid', payment('10'))
  await tell(shop, 'payment_late', payment('1', '<!channel>'))
  await deliver()
  const [{ title, text, link }] = deps.chats as [(typeof deps.chats)[0]]
  assert.equal(title, '2 partial payments, 10.00 USDT; 1 payment, 10.00 USDT; 1 late payment, 1.00 <!channel>')
  const lines = text.split('\n')
  assert.deepEqual(lines.slice(0, 3), [
    '2 partial payments, 10.00 USDT',
    '1 payment, 10.00 USDT',
    '1 late payment, 1.00 <!channel>',
  ])
  assert.match(lines[3]!, /· Partial payment · 5\.00 of/)
  assert.equal(link, `${deps.config.publicUrl}/record`)
})

test('what may cost money is its own message, and so is each event for a system', async () => {
  const shop = await shopWithChat()
  await addChat(shop, shop, 'hook')
  await tell(shop, 'account_secret_key_renewed', { appid: 'a' }, { appid: 'b' }, { appid: 'c' })
  await tell(shop, 'payment_paid', payment('1'), payment('2'))
  await deliver()
  const sent = await rows()
  assert.equal(sent.filter(row => row.channel === 'mail' && row.sent_with === null).length, 3)
  assert.equal(deps.mails.length, 3)
  const ofHook = sent.filter(row => row.address.startsWith('hook'))
  assert.deepEqual([ofHook.length, ofHook.filter(row => row.sent_with === null).length], [5, 5])
})

test('a withdrawal to approve is one message with others to approve, and not with news', async () => {
  const shop = await shopWithChat()
  const asked = (id: string) => ({ ...payment('100'), id })
  await tell(shop, 'withdrawal_waits', asked('1'), asked('2'))
  await tell(shop, 'payment_paid', payment('1'))
  await deliver()
  assert.deepEqual(
    deps.chats.map(({ title, link }) => [title, link]),
    [
      ['2 withdrawals to approve, 200.00 USDT', `${deps.config.publicUrl}/approvals`],
      ['Payment received', `${deps.config.publicUrl}/record?trade_no=${orders}`],
    ],
  )
})

test('what was sent together is tried again together, under the same id, without what came later', async () => {
  const shop = await shopWithChat()
  outcome = { result: 'later', error: 'HTTP 500' }
  await tell(shop, 'payment_paid', payment('1'), payment('2'))
  await deliver()
  assert.deepEqual(
    (await rows()).map(row => [row.result, row.tries, row.sent_with === null]),
    [
      ['', 1, true],
      ['', 0, false],
    ],
  )
  await tell(shop, 'payment_paid', payment('4'), payment('8'))
  deps.pass(30)
  outcome = { result: 'accepted' }
  await deliver()
  assert.deepEqual(deps.chats.map(({ title }) => title).sort(), [
    '2 payments, 12.00 USDT',
    '2 payments, 3.00 USDT',
    '2 payments, 3.00 USDT',
  ])
  assert.deepEqual(await results(), Array(4).fill('accepted'))
})

test('a server that dies between sending and recording: the same message is sent again, with the same id', async () => {
  const shop = await shopWithChat()
  await tell(shop, 'payment_paid', payment('1'), payment('2'))
  const [lost] = await makeMessageSender(deps).lease()
  await tell(shop, 'payment_paid', payment('4'))
  await deliver()
  assert.deepEqual(
    deps.chats.map(({ title }) => title),
    ['Payment received'],
  )
  deps.pass(120)
  const [again, ...others] = await makeMessageSender(deps).lease()
  assert.deepEqual([again!.id, again!.tries, others], [lost!.id, 2, []])
  await makeMessageSender(deps).send(again!)
  assert.equal(deps.chats.at(-1)!.title, '2 payments, 3.00 USDT')
  // The first attempt ends at last: what is over stays over.
  outcome = { result: 'refused', error: 'gone' }
  await makeMessageSender(deps).send(lost!)
  // The last is the mail about the group, which waits.
  assert.deepEqual(await results(), ['accepted', 'accepted', 'accepted', ''])
})

test('two servers at once send each payment once', async () => {
  const shop = await shopWithChat()
  await tell(shop, 'payment_paid', ...Array.from({ length: 60 }, () => payment('1')))
  await Promise.all(Array.from({ length: 4 }, () => sendDueMessages(deps)))
  const sums = deps.chats.map(({ title }) => Number(/(\d+)\.00 USDT/.exec(title)?.[1] ?? 1))
  assert.equal(
    sums.reduce((sum, each) => sum + each, 0),
    60,
  )
  assert.deepEqual(new Set(await results()), new Set(['accepted']))
})

test('a service that was away gets what waited as one message', async () => {
  const shop = await shopWithChat()
  const sender = makeMessageSender(deps)
  outcome = { result: 'later', error: 'no route', isAway: true }
  for (let minute = 0; minute < 5; minute++) {
    await tell(shop, 'payment_paid', payment('1'))
    await sendDueMessages(deps, sender)
    deps.pass(60)
  }
  outcome = { result: 'accepted' }
  deps.pass(3_600)
  await sendDueMessages(deps, sender)
  assert.deepEqual(new Set(await results()), new Set(['accepted']))
  const arrived = deps.chats.map(({ title }) => title).slice(-2)
  assert.ok(arrived.length <= 2 && arrived.some(title => /payments, /.test(title)), arrived.join())
})

test('a message by the hour or by the day waits for the clock of its reader, and a new zone moves only what comes later', async () => {
  const shop = await shopWithChat()
  await deps.owner.query(`update persons set time_zone = 'Asia/Kolkata' where id = $1`, [shop])
  const start = Date.parse('2026-11-30T14:10:00Z') / 1_000
  deps.pass(start - deps.clock())
  await tell(shop, 'payment_paid', payment('1'))
  await setMode('hourly')
  await deliver()
  assert.equal(deps.chats.length, 0)
  assert.deepEqual(
    (await rows()).map(row => [Number(row.due_at) - start, row.tries]),
    [[20 * 60, 0]],
  )
  await tell(shop, 'payment_paid', payment('2'))
  await setMode('hourly')
  deps.pass(20 * 60 - 1)
  await deliver()
  assert.equal(deps.chats.length, 0)
  deps.pass(1)
  await deliver()
  assert.deepEqual(
    deps.chats.map(({ title }) => title),
    ['2 payments, 3.00 USDT'],
  )
  assert.match(deps.chats[0]!.notes, /^Times: \d+ \w+ \d{4} \(Asia\/Kolkata\)\nA member of .* has this sent here: /)

  await tell(shop, 'payment_paid', payment('5'))
  await setMode('daily')
  await deliver()
  await deps.owner.query(`update persons set time_zone = 'America/New_York'; select 1`)
  deps.pass(Date.parse('2026-12-01T02:30:00Z') / 1_000 - deps.clock())
  await deliver()
  assert.equal(deps.chats.length, 2, 'at eight in Kolkata, as was found')
})

test('what waits for a morning has its day of attempts from then on', async () => {
  const shop = await shopWithChat()
  outcome = { result: 'later', error: 'HTTP 500' }
  await tell(shop, 'payment_paid', payment('1'))
  await setMode('daily')
  const began = deps.clock()
  while ((await results())[0] === '') {
    await deliver()
    deps.pass(1_800)
  }
  const due = (await rows())[0]!
  assert.equal(due.result, 'expired')
  assert.ok(Number(due.done_at) - began > 86_400 - 3_600 * 2 + 1, 'a day after the morning')
  const tries = due.tries
  assert.ok(tries > 20, String(tries))
})

test('of a reader who may see less by now the rest is sent, and of one who is gone nothing', async () => {
  const { id: shop } = await testMerchant(deps)
  const { personId } = await testMember(deps, deps.owner, { merchantId: shop, role: 'finance' })
  await addChat(personId, shop)
  const withdrawal = { ...payment('7'), id: '1' }
  const wait = async () => {
    await tell(shop, 'withdrawal_accomplished', withdrawal)
    await tell(shop, 'payment_paid', payment('1'), payment('2'))
    await deps.owner.query(`update messages set together = 'news' where done_at is null`)
  }
  // Withdrawals are not sent at once today: as if somebody had asked for them.
  await wait()
  await deps.owner.query(
    `insert into messages (id, realm, merchant_id, person_id, audience, channel, address, event, params, created_at, due_at, together)
     select '0', realm, merchant_id, person_id, 'withdrawals', channel, address, 'withdrawal_accomplished', $1, created_at, due_at, together
     from messages limit 1`,
    [JSON.stringify(withdrawal)],
  )
  await setTestRole(deps.owner, { merchantId: shop, personId, role: 'developer', now: deps.clock() })
  await deliver()
  assert.deepEqual(
    deps.chats.map(({ title }) => title),
    ['2 payments, 3.00 USDT'],
  )
  assert.deepEqual(
    (await rows()).map(row => [row.event, row.result]),
    [
      ['withdrawal_accomplished', 'unwanted'],
      ['payment_paid', 'accepted'],
      ['payment_paid', 'accepted'],
    ],
  )
  await wait()
  await deps.owner.query('update members set removed_at = 1 where person_id = $1', [personId])
  await deliver()
  assert.equal(deps.chats.length, 1)
})

test('a frozen shop sends nothing', async () => {
  const shop = await shopWithChat()
  await tell(shop, 'payment_paid', payment('1'), payment('2'))
  await deps.owner.query('update merchants set frozen = true where id = $1', [shop])
  await deliver()
  assert.deepEqual([deps.chats.length, await results()], [0, ['unwanted', 'unwanted']])
})

test('a thousand events are one text of bounded length', async () => {
  const shop = await shopWithChat()
  const long = 'x'.repeat(5_000)
  await tell(shop, 'payment_late', { ...payment('1'), out_trade_no: long })
  deps.pass(1)
  await tell(shop, 'payment_paid', ...Array.from({ length: 1_000 }, () => payment('0.01')))
  await deliver()
  const [{ title, text }, ...others] = deps.chats as [(typeof deps.chats)[0]]
  assert.deepEqual(others, [])
  assert.equal(title, '1 late payment, 1.00 USDT; 1000 payments, 10.00 USDT')
  assert.ok(text.length < 3_000, String(text.length))
  assert.match(text, /and 992 more$/)
})
