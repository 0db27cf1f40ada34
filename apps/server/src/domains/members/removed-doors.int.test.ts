import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RouteKey } from '@coffer/contract'
import { newId } from '../../kit/ids.ts'
import { insertEvents } from '../../kit/outbox.ts'
import { hashSecret } from '../../kit/secrets.ts'
import type { TelegramText } from '../../outside/telegram.ts'
import { makeApp } from '../../serve.ts'
import { withDeps } from '../../testing/deps.ts'
import { setTestRole, testMember } from '../../testing/members.ts'
import { newSession, testApplication, testMerchant } from '../../testing/merchants.ts'
import { insertTicket } from '../identity/store.ts'
import { ensurePushKeys } from '../notifications/push-keys.ts'
import { readTelegram } from '../notifications/read-telegram.ts'
import { removeMemberByOperator } from './by-operator.ts'

/* What is left to somebody who no longer belongs to a shop, of all that a member may set up: by requests over HTTP. */

const written: TelegramText[] = []
const said: { chat: string; title: string }[] = []
const deps = await withDeps(
  { after },
  {
    telegram: {
      name: async () => 'coffer_bot',
      send: async (chat, { title }) => {
        said.push({ chat, title })
        return { result: 'accepted' }
      },
      read: async last => written.filter(({ id }) => id > last),
    },
    config: { telegramToken: '7:token' },
  },
)
await ensurePushKeys(deps)
const app = await makeApp(deps)
after(() => app.close())
const stopped = new AbortController().signal
const params = { out_trade_no: 'shop-7', amount: '10', token: 'USDT', chain: 'Ethereum', trade_no: '2'.repeat(32) }

let sent = 0
async function request(method: string, url: string, headers: Record<string, string>, payload?: object) {
  const remoteAddress = `10.3.${(++sent >> 8) & 255}.${sent & 255}`
  return app.inject({ method: method as 'GET', url, remoteAddress, headers, ...(payload && { payload }) })
}
/** Makes a call of the back-office with a proof; returns what it answers, which must be 200. */
async function use(of: { token: string; personId: string }, key: RouteKey, payload: object = {}, action = '') {
  const [method = '', url = ''] = key.split(' ')
  const code = newId()
  if (action) await insertTicket(deps.pool, hashSecret(code), of.personId, action as 'members', deps.clock() + 300)
  const body = { ...payload, ...(action && { proof: { method: 'ticket', code } }) }
  const { body: text } = await request(method, url, { 'x-token': of.token }, body)
  const answer = JSON.parse(text)
  assert.equal(answer.code, 200, `${key}: ${text}`)
  return answer.data
}

const channels = {
  slack: 'https://hooks.slack.com/services/T0/B0/secret',
  hook: 'https://93.184.216.34/hook',
}
let devices = 0

/** A shop whose developer has set up all that a developer may. */
async function shopWithDeveloper() {
  const { id: shop, email } = await testMerchant(deps)
  const owner = { personId: shop, token: await newSession(deps, shop), email }
  const made = await testMember(deps, deps.owner, { merchantId: shop, role: 'developer' })
  const member = { ...made, token: (await made.signIn()).token }
  const key = await use(member, 'POST /api/v1/user/secret-key', { name: 'Tills' }, 'application')
  const epay = await use(member, 'POST /api/v1/user/shop', { appid: key.appid, protocol: 'epay' }, 'application')
  const subscription = { endpoint: `https://push.example/${++devices}`, p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) }
  await use(member, 'POST /api/v1/message/push', subscription, 'push-device')
  for (const [name, url] of Object.entries(channels))
    await use(member, 'POST /api/v1/message/channel', { name, url }, 'push-device')
  const pending = await use(member, 'POST /api/v1/message/channel/telegram', {}, 'push-device')
  // What the person alone was told of while adding these.
  await deps.owner.query('delete from messages where person_id = $1', [member.personId])
  return { shop, owner, member, key: key.secret_key as string, epay, link: pending.link as string }
}
type Shop = Awaited<ReturnType<typeof shopWithDeveloper>>

const tell = (merchant_id: string) =>
  insertEvents(deps.pool, [{ merchant_id, name: 'payment_paid', params, created_at: deps.clock() }])

const ways: Record<string, (of: Shop) => Promise<unknown>> = {
  'an owner removed': ({ owner, member }) => use(owner, 'DELETE /api/v1/member', { id: member.personId }, 'members'),
  'who left': ({ member }) => use(member, 'POST /api/v1/member/leave', {}, 'members'),
  'a key removed': async ({ shop, member }) => {
    const rights = { members_allowed: true, ip_whitelist_enabled: true, ip_whitelist: ['10.3.0.0/16'] }
    const { key } = await testApplication(deps, shop, { name: 'Staff', ...rights })
    const url = `/api/v1/pay/members/${member.personId}/remove`
    const answer = await request('POST', url, { authorization: `Bearer ${key}` }, {})
    assert.equal(answer.statusCode, 200, answer.body)
  },
  'the operator removed': ({ shop, member }) => removeMemberByOperator(deps, { merchantId: shop, email: member.email }),
}

for (const [name, end] of Object.entries(ways))
  test(`${name} is sent nothing of the shop, and the keys that the shop works with go on, named to owners`, async () => {
    const of = await shopWithDeveloper()
    const { shop, owner, member, key, epay, link } = of
    // What waits, and is not sent before the removal.
    await tell(shop)
    const { rowCount: waiting } = await deps.owner.query(
      `update messages set due_at = due_at + 60 where person_id = $1 and merchant_id = $2 and channel <> 'mail'`,
      [member.personId, shop],
    )
    assert.equal(waiting, 3, 'for the device, the group and the system')
    deps.mails.length = 0
    const before = [deps.pushes.length, deps.chats.length]
    await end(of)
    deps.pass(120)
    await tell(shop)
    await deps.delivered()
    assert.deepEqual([deps.pushes.length, deps.chats.length], before, 'devices and groups')
    const { rows: kept } = await deps.owner.query(
      `select 'device' as what from push_devices where person_id = $1 union all
       select kind from message_channels where person_id = $1 union all
       select channel from messages where person_id = $1 and merchant_id = $2 and result = 'accepted'
         and channel <> 'mail'`,
      [member.personId, shop],
    )
    assert.deepEqual(kept, [])
    const toMember = deps.mails.filter(({ to }) => to === member.email).map(({ subject }) => subject)
    assert.deepEqual(toMember, name === 'who left' ? [] : ['You no longer belong to “Test merchant”'])
    // The link of a chat that was not opened yet.
    written.push({
      id: written.length + 1,
      text: `/start ${new URL(link).searchParams.get('start')}`,
      chat: { id: '70', name: 'ann', isPrivate: true },
    })
    await readTelegram(deps, stopped)
    assert.equal(said.at(-1)?.title, 'This link does not work')
    for (const each of ['settings', 'sent', 'channel', 'push'])
      assert.equal((await request('GET', `/api/v1/message/${each}`, { 'x-token': member.token })).statusCode, 401)

    // What the shop works with: its key, also for assistants, and the door of the connected shop.
    const bearer = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' }
    assert.equal((await request('GET', '/api/v1/pay/orders', bearer)).statusCode, 200)
    const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listOrders', arguments: {} } }
    const read = await request('POST', '/mcp', bearer, mcp)
    assert.match(read.body, /"total/)
    assert.doesNotMatch(read.body, /"isError":true/)
    const door = await request('GET', `/api.php?act=query&pid=${epay.id}&key=${epay.key}`, {})
    assert.equal(door.json().code, 1, door.body)
    const told = deps.mails.findLast(({ to, text }) => to === owner.email && text.includes(member.email))!
    assert.match(told.text, /made the secret keys of these applications, which still work: Tills\./)
    assert.ok(told.text.includes(`keys of these connected shops, which still work: ${epay.id} (Tills).`), told.text)
  })

test('a key of a shop that was renewed by somebody else is named no more, once the old one has ended', async () => {
  const of = await shopWithDeveloper()
  const { owner, member, epay, shop } = of
  const renewed = await use(owner, 'PUT /api/v1/user/shop/key', { id: epay.id, keep_seconds: 86_400 }, 'application')
  const toldAt = async () => {
    await setTestRole(deps.owner, { merchantId: shop, personId: member.personId, role: 'developer', now: deps.clock() })
    const body = { id: member.personId, role: 'viewer' }
    const fresh = { ...owner, token: await newSession(deps, owner.personId) }
    await use(fresh, 'PUT /api/v1/member', body, 'members')
    await deps.delivered()
    return deps.mails.findLast(({ to, text }) => to === owner.email && text.includes(member.email))!.text
  }
  assert.ok((await toldAt()).includes(`${epay.id} (Tills)`), 'the old key works for a day')
  deps.pass(86_401)
  assert.ok(!(await toldAt()).includes(epay.id))
  assert.equal(renewed.id, epay.id)
})

test('every owner is told that a key may change the people of the shop, once, however it got that right', async () => {
  const { id: shop, email } = await testMerchant(deps)
  const owner = { personId: shop, token: await newSession(deps, shop) }
  const second = await testMember(deps, deps.owner, { merchantId: shop, role: 'owner' })
  const developer = await testMember(deps, deps.owner, { merchantId: shop, role: 'developer' })
  const told = async () => {
    await deps.delivered()
    const mails = deps.mails.filter(({ subject }) => subject.includes('invite and remove people'))
    deps.mails.length = 0
    return mails.map(({ to }) => to).sort()
  }
  const owners = [email, second.email].sort()
  await told()
  const whitelist = { ip_whitelist_enabled: true, ip_whitelist: ['203.0.113.7'] }
  const settings = { name: 'Staff', ...whitelist, members_allowed: true }
  const { appid } = await use(owner, 'POST /api/v1/user/secret-key', settings, 'application')
  assert.deepEqual(await told(), owners, 'a new key')
  const change = (given: object) => use(owner, 'PUT /api/v1/user/secret-key', { appid, ...given }, 'application')
  deps.pass(120)
  await change({ members_allowed: true, remark: 'the same right again' })
  await change({ members_allowed: false })
  assert.deepEqual(await told(), [])
  await change({ members_allowed: true, payouts_allowed: true, website: 'https://shop.example' })
  await deps.delivered()
  const subjects = deps.mails.filter(({ to }) => to === second.email).map(({ subject }) => subject)
  assert.deepEqual(subjects.sort(), [
    'The key of an application may now list, invite and remove people of the shop',
    'The key of an application may now request withdrawals and refunds',
    'The name, logo or website that your payers see was changed',
  ])
  assert.ok(!deps.mails.some(({ to, subject }) => to === developer.email && subject.includes('people')))
})
