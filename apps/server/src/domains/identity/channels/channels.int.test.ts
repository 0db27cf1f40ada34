import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import type { EventName } from '@coffer/contract/events.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { Webhook } from 'standardwebhooks'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { newId } from '../../../kit/ids.ts'
import { insertEvents } from '../../../kit/outbox.ts'
import { hashSecret } from '../../../kit/secrets.ts'
import { formatMoment } from '../../../kit/time-zone.ts'
import type { ChatSetup, Delivery } from '../../../outside/delivery.ts'
import type { TelegramBot, TelegramText } from '../../../outside/telegram.ts'
import { withDeps } from '../../../testing/deps.ts'
import { setTestRole, testMember } from '../../../testing/members.ts'
import { testMerchant, visitor } from '../../../testing/merchants.ts'
import { readTelegram } from '../../notifications/read-telegram.ts'
import { sendDueMessages } from '../../notifications/sender.ts'
import { endSessionsOfMember, endSessionsOfPerson, startSession } from '../../people/sessions.ts'
import { insertTicket } from '../store.ts'
import {
  addMessageChannel,
  addTelegramChannel,
  listMessageChannels,
  removeMessageChannel,
  testMessageChannel,
} from './channels.ts'

const made = await withDeps({ after })

/** What was written to the bot, and what it sent. */
const written: TelegramText[] = []
const said: { chat: string; title: string; text: string; link: string; notes: string }[] = []
let outcome: Delivery & { movedTo?: string } = { result: 'accepted' }
const telegram: TelegramBot = {
  name: async () => 'coffer_bot',
  send: async (chat, { title, text, link, notes }) => {
    said.push({ chat, title, text, link, notes })
    return outcome
  },
  read: async last => written.filter(({ id }) => id > last),
}
const deps = {
  ...made,
  telegram,
  config: { ...made.config, telegramToken: '7:token', mode: 'sandbox', callbackHttp: 'allow' },
} satisfies Deps
const stopped = new AbortController().signal

/** Sends with the bot of these tests. */
const deliver = () => sendDueMessages(deps)

beforeEach(async () => {
  for (const list of [written, said, deps.chats, deps.mails]) list.length = 0
  outcome = { result: 'accepted' }
  await deps.owner.query('delete from messages')
  await deps.owner.query('delete from telegram_bots')
})

async function proofOf(personId: string) {
  const code = newId()
  await insertTicket(deps.pool, hashSecret(code), personId, 'push-device', deps.clock() + 300)
  return { method: 'ticket', code } as const
}

async function ownerSession(): Promise<Session> {
  const { id: merchantId } = await testMerchant(deps)
  const { id, token } = await startSession(deps, deps.pool, { personId: merchantId, merchantId, from: visitor })
  return { id, personId: merchantId, merchantId, role: 'owner', tokenHash: hashSecret(token), name: '' }
}

const slack = 'https://hooks.slack.com/services/T0/B0/secret'

const add = async (by: Session, { name = 'Ops', url = slack, secret = '' } = {}) =>
  addMessageChannel(deps, { by, name, url, secret, proof: await proofOf(by.personId), from: visitor })

const params = { out_trade_no: 'shop-7', amount: '10', token: 'USDT', chain: 'Ethereum', trade_no: '2'.repeat(32) }
async function tell(merchant_id: string, name: EventName = 'payment_paid') {
  await insertEvents(deps.pool, [{ merchant_id, name, params, created_at: deps.clock() }])
  await deliver()
}

test('a group gets what its member is told of, once, with a link that does nothing', async () => {
  const by = await ownerSession()
  await add(by)
  await deliver()
  assert.match(deps.mails.at(-1)!.text, /chat or system/, 'the person is told of it')
  await tell(by.merchantId)
  assert.deepEqual(deps.chats, [
    {
      url: slack,
      title: 'Payment received',
      text: '10.00 USDT on Ethereum for order shop-7.',
      link: `${deps.config.publicUrl}/record?trade_no=${params.trade_no}`,
      notes: [
        `Time: ${formatMoment(deps.clock(), null, 'en')}`,
        `A member of Test merchant has this sent here: ${deps.config.publicUrl}/user/messages`,
      ].join('\n'),
    },
  ])
  await tell(by.merchantId, 'account_withdrawal_requested')
  assert.doesNotMatch(JSON.stringify(deps.chats.at(-1)), /not-me|#/, 'no link by which a group could stop the shop')
  const before = deps.chats.length
  for (const name of ['account_login', 'account_password_reset', 'account_new_device'] as const)
    await tell(by.merchantId, name)
  assert.equal(deps.chats.length, before, 'what is about the person alone')
  const [{ last_time, error } = { last_time: 0, error: '?' }] = (await listMessageChannels(deps, by, 'en')).list
  assert.deepEqual([last_time, error], [deps.clock(), ''])
})

test('a member’s group gets what the role allows, and nothing once the member was removed', async () => {
  const { merchantId } = await ownerSession()
  const join = async (role: MerchantRole) => testMember(deps, deps.owner, { merchantId, role })
  const developer = await join('developer')
  const { session } = await developer.signIn()
  await add(session, { name: 'Developers' })
  await tell(merchantId, 'payment_paid')
  assert.equal(deps.chats.length, 1, 'developers read payments')
  await tell(merchantId, 'withdrawal_waits')
  await tell(merchantId, 'account_withdrawal_requested')
  assert.equal(deps.chats.length, 1)
  await insertEvents(deps.pool, [{ merchant_id: merchantId, name: 'payment_paid', params, created_at: deps.clock() }])
  await setTestRole(deps.owner, { personId: developer.personId, merchantId, role: 'clerk', now: deps.clock() })
  await deliver()
  assert.equal(deps.chats.length, 1, 'what was queued before the role was lowered')
  await setTestRole(deps.owner, { personId: developer.personId, merchantId, role: 'developer', now: deps.clock() })
  await insertEvents(deps.pool, [{ merchant_id: merchantId, name: 'payment_paid', params, created_at: deps.clock() }])
  await endSessionsOfMember(deps.pool, developer.personId, merchantId)
  await deliver()
  assert.equal(deps.chats.length, 1, 'what was queued before the removal')
})

test('nobody sees, tries or removes what another member or shop has', async () => {
  const by = await ownerSession()
  const { id } = await add(by)
  const { session: other } = await (
    await testMember(deps, deps.owner, { merchantId: by.merchantId, role: 'owner' })
  ).signIn()
  for (const stranger of [
    other,
    await ownerSession(),
    { ...by, merchantId: other.merchantId, personId: other.personId },
  ]) {
    assert.deepEqual((await listMessageChannels(deps, stranger, 'en')).list, [])
    await assert.rejects(testMessageChannel(deps, stranger, id, 'en'), { reason: 'operation_failed' })
    await removeMessageChannel(deps, stranger, id, visitor)
  }
  assert.equal((await listMessageChannels(deps, by, 'en')).list.length, 1)
  assert.deepEqual(await testMessageChannel(deps, by, id, 'en'), { ok: true, error: '' })
  assert.equal(deps.chats.at(-1)?.title, 'Test message')
  await removeMessageChannel(deps, by, id, visitor)
  await removeMessageChannel(deps, by, id, visitor)
  await tell(by.merchantId)
  assert.equal(deps.chats.length, 1)
})

test('a group reads the language in which it was added, and nothing of a frozen shop', async () => {
  const by = await ownerSession()
  const from = { ...visitor, language: 'zh-CN' } as const
  const proof = await proofOf(by.personId)
  await addMessageChannel(deps, { by, name: 'Ops', url: slack, secret: '', proof, from })
  await tell(by.merchantId)
  assert.deepEqual(
    deps.chats.map(({ title }) => title),
    ['收款成功'],
  )
  await deps.owner.query('update merchants set frozen = true where id = $1', [by.merchantId])
  await tell(by.merchantId)
  assert.equal(deps.chats.length, 1)
})

test('tests are paced: each calls somebody else’s server', async () => {
  const by = await ownerSession()
  const { id } = await add(by)
  for (let n = 0; n < 10; n++) assert.equal((await testMessageChannel(deps, by, id, 'en')).ok, true)
  await assert.rejects(testMessageChannel(deps, by, id, 'en'), { reason: 'frequent_operation' })
  deps.pass(60)
  assert.equal((await testMessageChannel(deps, by, id, 'en')).ok, true)
})

test('there are ten at most, also at once, and each takes a proof', async () => {
  const by = await ownerSession()
  const proof = { method: 'ticket', code: newId() } as const
  await assert.rejects(addMessageChannel(deps, { by, name: 'x', url: slack, secret: '', proof, from: visitor }))
  const all = await Promise.allSettled(Array.from({ length: limits.messageChannelsMax + 3 }, () => add(by)))
  assert.equal(all.filter(({ status }) => status === 'rejected').length, 3)
  assert.equal((await listMessageChannels(deps, by, 'en')).list.length, limits.messageChannelsMax)
  const { rows } = await deps.owner.query('select address, secret from message_channels where person_id = $1', [
    by.personId,
  ])
  assert.doesNotMatch(JSON.stringify(rows), /hooks\.slack/, 'sealed')
})

test('a system is refused at an internal address, and gets a secret once', async () => {
  const by = await ownerSession()
  const closed = { ...deps, config: { ...deps.config, mode: 'production' as const } }
  const system = async (url: string, of = closed) =>
    addMessageChannel(of, { by, name: 'Own', url, secret: 'mine', proof: await proofOf(by.personId), from: visitor })
  await assert.rejects(system('https://10.0.0.1/x'), { reason: 'url_forbidden' })
  await assert.rejects(system('https://hooks.slack.com.localhost/services/T0/B0/x'), { reason: 'url_forbidden' })
  const hook = await system('https://93.184.216.34/hook')
  assert.equal(hook.kind, 'hook')
  assert.match(hook.secret, /^whsec_/)
  assert.notEqual(hook.secret, 'mine')
})

test('a system gets signed JSON, whose id a repeat has, too, and ends it with 410', async t => {
  const got: { body: string; headers: Record<string, string> }[] = []
  let status = 500
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    got.push({ body, headers: request.headers as Record<string, string> })
    response.writeHead(status).end()
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  const by = await ownerSession()
  const { secret } = await add(by, { name: 'Own', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
  await tell(by.merchantId)
  status = 200
  deps.pass(60)
  await deliver()
  assert.equal(got.length, 2)
  for (const { body, headers } of got) {
    const signed = new Webhook(secret).sign(
      headers['webhook-id']!,
      new Date(Number(headers['webhook-timestamp']) * 1_000),
      body,
    )
    assert.equal(headers['webhook-signature'], signed)
  }
  const [first, again] = got.map(({ body }) => JSON.parse(body).data)
  assert.deepEqual(again, first)
  assert.deepEqual([first.event, first.title], ['payment_paid', 'Payment received'])
  status = 410
  await tell(by.merchantId)
  assert.deepEqual((await listMessageChannels(deps, by, 'en')).list, [])
})

const start = (id: number, link: string, { chat = '70', isPrivate = true } = {}): TelegramText => ({
  id,
  text: `/start ${new URL(link).searchParams.get('start')}`,
  chat: { id: chat, name: 'ann', isPrivate },
})

test('a chat of Telegram is linked by its code, once, and gets messages from then on', async () => {
  const by = await ownerSession()
  const { id, link } = await addTelegramChannel(deps, { by, proof: await proofOf(by.personId), from: visitor })
  assert.match(link, /^https:\/\/t\.me\/coffer_bot\?start=[\w-]{43}$/)
  await tell(by.merchantId)
  assert.deepEqual(said, [], 'nothing before the chat was opened')
  written.push({ id: 1, text: '/start guessed-code-of-somebody', chat: { id: '71', name: '', isPrivate: true } })
  written.push({ id: 2, text: 'hello', chat: { id: '71', name: '', isPrivate: true } }, { id: 3, text: '' })
  written.push(start(4, link, { isPrivate: false, chat: '-5' }), start(5, link), start(6, link, { chat: '99' }))
  await readTelegram(deps, stopped)
  assert.deepEqual(
    said.map(({ chat, title }) => [chat, title]),
    [
      ['71', 'This link does not work'],
      ['-5', 'Not in groups'],
      ['70', 'Linked'],
      ['99', 'This link does not work'],
    ],
  )
  await readTelegram(deps, stopped)
  assert.equal(said.length, 4, 'each is read once')
  const [channel] = (await listMessageChannels(deps, by, 'en')).list
  assert.deepEqual([channel?.id, channel?.linked, channel?.name], [id, true, 'Telegram @ann'])
  await deps.owner.query(
    `update messages set done_at = null, result = '', due_at = 0 where channel = 'chat' and person_id = $1`,
    [by.personId],
  )
  said.length = 0
  await insertEvents(deps.pool, [
    { merchant_id: by.merchantId, name: 'payment_paid', params, created_at: deps.clock() },
  ])
  await deliver()
  assert.deepEqual(
    said.map(({ chat }) => chat),
    ['70'],
  )
})

async function linkedChat() {
  const by = await ownerSession()
  const { link } = await addTelegramChannel(deps, { by, proof: await proofOf(by.personId), from: visitor })
  await deps.owner.query('delete from telegram_bots')
  written.push(start(1, link))
  await readTelegram(deps, stopped)
  said.length = 0
  return by
}

test('a link that expired opens nothing, and one server reads at a time', async () => {
  const by = await ownerSession()
  const { link } = await addTelegramChannel(deps, { by, proof: await proofOf(by.personId), from: visitor })
  deps.pass(901)
  written.push(start(1, link))
  await readTelegram(deps, stopped)
  assert.deepEqual(
    said.map(({ title }) => title),
    ['This link does not work'],
  )
  assert.deepEqual((await listMessageChannels(deps, by, 'en')).list, [])
  await deps.owner.query('update telegram_bots set reading_until = $1', [deps.clock() + 60])
  written.push(start(2, link))
  assert.equal(await readTelegram(deps, stopped), false)
  assert.equal(said.length, 1)
})

test('a bot that was blocked ends the chat; limits and moves do not', async () => {
  const by = await linkedChat()
  const report = async () => {
    await insertEvents(deps.pool, [
      { merchant_id: by.merchantId, name: 'payment_paid', params, created_at: deps.clock() },
    ])
    await deliver()
  }
  outcome = { result: 'later', error: '429', retryAfter: 600 }
  await report()
  assert.deepEqual(
    (await listMessageChannels(deps, by, 'en')).list.map(({ error }) => error),
    ['429'],
  )
  deps.pass(599)
  await deliver()
  assert.equal(said.length, 1, 'not before it may')
  outcome = { result: 'later', error: 'upgraded', retryAfter: 1, movedTo: '-100' }
  deps.pass(1)
  await deliver()
  outcome = { result: 'accepted' }
  deps.pass(3_600)
  await deliver()
  assert.deepEqual(
    said.map(({ chat }) => chat),
    ['70', '70', '-100'],
  )
  outcome = { result: 'refused', error: '403 blocked' }
  await report()
  assert.deepEqual((await listMessageChannels(deps, by, 'en')).list, [])
})

test('a group that refuses the signature stays, says what to do, and goes on once a test succeeds', async t => {
  const by = await ownerSession()
  const { id } = await add(by)
  await deliver()
  deps.mails.length = 0
  const { post } = deps.chat
  t.after(() => Object.assign(deps.chat, { post }))
  let setup: ChatSetup | 'gone' | undefined = 'signature'
  let posts = 0
  deps.chat.post = async (...given) => {
    posts++
    if (!setup) return post(...given)
    return { result: 'refused', error: 'HTTP 200 19021', setup: setup === 'gone' ? undefined : setup }
  }
  const report = () =>
    insertEvents(deps.pool, [
      { merchant_id: by.merchantId, name: 'account_withdrawal_requested', params, created_at: deps.clock() },
    ])
  for (let n = 0; n < 3; n++) await report()
  await deliver()
  assert.equal(posts, 1, 'what waits behind the first is not tried')
  const [channel] = (await listMessageChannels(deps, by, 'en')).list
  assert.deepEqual([channel?.id, channel?.error], [id, 'HTTP 200 19021'])
  assert.match(channel!.advice, /add it again with the signing secret/)
  await report()
  await deliver()
  assert.equal(posts, 1, 'and nothing new is queued for it')
  const told = deps.mails.filter(({ subject }) => subject === 'A chat or system takes no messages any more')
  assert.equal(told.length, 1, 'whoever added it is told once')
  assert.match(told[0]!.text, /Ops: The group refuses the signature.*\n.*\/user\/messages/)
  const failed = await testMessageChannel(deps, by, id, 'en')
  assert.deepEqual([failed.ok, /signing secret/.test(failed.error)], [false, true])
  setup = undefined
  assert.deepEqual(await testMessageChannel(deps, by, id, 'en'), { ok: true, error: '' })
  assert.equal((await listMessageChannels(deps, by, 'en')).list[0]!.advice, '')
  await report()
  await deliver()
  assert.equal(deps.chats.length, 2, 'the test, and what came after it')
  setup = 'gone'
  await report()
  await deliver()
  assert.deepEqual((await listMessageChannels(deps, by, 'en')).list, [])
  assert.match(deps.mails.at(-1)!.text, /Ops: The service takes nothing for it any more, so it was removed here/)
})

test('what ends all sessions of a person ends the chats, too', async () => {
  const by = await linkedChat()
  await endSessionsOfPerson(deps.pool, by.personId, by.tokenHash)
  assert.equal((await listMessageChannels(deps, by, 'en')).list.length, 1)
  await endSessionsOfPerson(deps.pool, by.personId, null)
  assert.deepEqual((await listMessageChannels(deps, by, 'en')).list, [])
})
