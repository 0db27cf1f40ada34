import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { ListedEvent } from '@coffer/contract/events.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import type { Language } from '@coffer/contract/languages.ts'
import { until } from '@coffer/local/testing/until.ts'
import type { Session } from '../../http/context.ts'
import { newId } from '../../kit/ids.ts'
import { insertEvents } from '../../kit/outbox.ts'
import { hashSecret } from '../../kit/secrets.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { Pusher } from '../../outside/push.ts'
import { withDeps } from '../../testing/deps.ts'
import { setTestRole, testMember } from '../../testing/members.ts'
import { testMerchant } from '../../testing/merchants.ts'
import {
  addPushDevice,
  endUnseenPushDevices,
  listPushDevices,
  readPushSubscription,
  removePushDevice,
} from '../identity/push/push-devices.ts'
import { endOneSession, endOtherSessions, logout } from '../identity/sessions/sessions.ts'
import { insertTicket } from '../identity/store.ts'
import { startSession } from '../people/sessions.ts'
import { computePushDeviceId, ensurePushKeys, readPushKeys } from './push-keys.ts'
import { sendMessages } from './sender.ts'

const deps = await withDeps({ after })
await Promise.all([ensurePushKeys(deps), ensurePushKeys(deps)])
const visitor = { ip: '203.0.113.7', device: 'Phone', language: 'en' } as never
const endpoint = (name: string) => `https://push.example/${name}`
const device = (name: string) => ({ endpoint: endpoint(name), p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) })
const params = { out_trade_no: 'shop-7', amount: '10', token: 'USDT', chain: 'Ethereum', trade_no: '2'.repeat(32) }

beforeEach(async () => {
  deps.pushes.length = 0
  await deps.owner.query('delete from messages')
})

async function signedIn(merchantId?: string): Promise<Session> {
  const owner = merchantId ?? (await testMerchant(deps)).id
  const { id, token } = await startSession(deps, deps.pool, { personId: owner, merchantId: owner, from: visitor })
  return { id, personId: owner, merchantId: owner, role: 'owner', tokenHash: hashSecret(token), name: '' }
}

/** Subscribes a device, with a proof. */
async function add(session: Session, of: ReturnType<typeof device>, language: Language) {
  const code = newId()
  await insertTicket(deps.pool, hashSecret(code), session.personId, 'push-device', deps.clock() + 300)
  const from = { ...(visitor as Visitor), language }
  return addPushDevice(deps, { session, device: of, proof: { method: 'ticket', code }, from })
}

const notify = (merchant_id: string, name: ListedEvent = 'payment_paid') =>
  insertEvents(deps.pool, [{ merchant_id, name, params, created_at: deps.clock() }])

const waiting = `channel = 'push' and done_at is null`
const pushesThatWait = async () => (await deps.owner.query(`select * from messages where ${waiting}`)).rows

/** Runs two senders until no push is due. Returns how many are due within a minute. */
async function send(push: Pusher['send'] = deps.push.send) {
  const stop = new AbortController()
  const senders = [1, 2].map(() => sendMessages({ ...deps, push: { send: push } }, stop.signal))
  await until(
    'no push is due',
    async () =>
      (await deps.owner.query(`select * from messages where ${waiting} and due_at <= $1`, [deps.clock()])).rows,
    rows => rows.length === 0,
  )
  stop.abort()
  await Promise.all(senders)
  return (await pushesThatWait()).filter(row => row.due_at <= deps.clock() + 60).length
}

test('the keys of the installation are made once and stored sealed', async () => {
  const { rows } = await deps.owner.query('select * from push_keys')
  assert.equal(rows.length, 1)
  assert.ok(deps.seal.isCurrent(rows[0].private_key))
  assert.equal((await readPushKeys(deps)).public_key, rows[0].public_key)
  await assert.rejects(deps.pool.query('delete from push_keys'), { code: '42501' })
})

test('a payment is pushed once to each of the merchant’s devices, in its language, and to nobody else’s', async () => {
  const mine = await signedIn()
  const other = await signedIn()
  await add(mine, device('one'), 'en')
  await add(await signedIn(mine.merchantId), device('two'), 'zh-CN')
  await add(other, device('other'), 'en')
  await notify(mine.merchantId)
  await notify(mine.merchantId, 'refund_accomplished')
  assert.equal(await send(), 0)
  const payloads = deps.pushes
    .toSorted((a, b) => a.device.endpoint.localeCompare(b.device.endpoint))
    .map(each => [each.device.endpoint, JSON.parse(each.payload)])
  assert.equal(payloads.length, 2)
  assert.equal(payloads[0]?.[0], endpoint('one'))
  assert.deepEqual(Object.keys(payloads[0]?.[1]), ['title', 'body', 'tag', 'trade_no'])
  assert.equal(payloads[0]?.[1].body, '10.00 USDT on Ethereum for order shop-7.')
  assert.equal(payloads[0]?.[1].trade_no, params.trade_no)
  assert.equal(payloads[0]?.[1].title, 'Payment received', 'the sentence begins with the amount')
  assert.match(payloads[1]?.[1].title, /^收款成功/)
  for (const [, { title, body }] of payloads) assert.equal(`${title} ${body}`.split('10.00').length, 2, body)
})

test('a push goes to the devices of members whose role it concerns, each in the language of the device', async () => {
  const owner = await signedIn()
  const { merchantId } = owner
  const member = async (role: MerchantRole) =>
    (await (await testMember(deps, deps.owner, { merchantId, role })).signIn()).session
  const sessions = { owner, support: await member('support'), clerk: await member('clerk') }
  for (const [name, session] of Object.entries(sessions))
    await add(session, device(name), name === 'support' ? 'zh-CN' : 'en')
  await notify(merchantId)
  await insertEvents(deps.pool, [
    {
      merchant_id: merchantId,
      person_id: sessions.clerk.personId,
      name: 'account_new_device',
      params: {},
      created_at: deps.clock(),
    },
  ])
  await send()
  const got = deps.pushes.map(each => [each.device.endpoint, JSON.parse(each.payload).title]).sort()
  assert.deepEqual(got, [
    [endpoint('clerk'), 'New device'],
    [endpoint('owner'), 'Payment received'],
    [endpoint('support'), '收款成功'],
  ])
})

test('a push that waits does not reach who was removed, or lost the role, meanwhile', async () => {
  const owner = await signedIn()
  const { merchantId } = owner
  for (const role of ['viewer', 'support', 'developer'] as const) {
    const { signIn, personId } = await testMember(deps, deps.owner, { merchantId, role })
    await add((await signIn()).session, device(role), 'en')
    await notify(merchantId)
    if (role === 'viewer')
      await deps.owner.query('update members set removed_at = 1 where person_id = $1 and merchant_id = $2', [
        personId,
        merchantId,
      ])
    else {
      const lowered = role === 'support' ? 'clerk' : 'from_tomorrow'
      await setTestRole(deps.owner, { merchantId, personId, role: lowered, now: deps.clock() })
    }
    await send()
    assert.deepEqual([deps.pushes.length, await pushesThatWait()], [0, []], role)
  }
})

test('what a browser unsubscribed is dropped, and what fails is tried again without holding up others', async () => {
  const mine = await signedIn()
  for (const name of ['gone', 'slow', 'fine']) await add(mine, device(name), 'en')
  let attempts = 0
  const seen: string[] = []
  const push: Pusher['send'] = async ({ device: { endpoint: at } }) => {
    if (at === endpoint('gone')) return { result: 'refused', error: 'HTTP 410' }
    if (at === endpoint('slow') && ++attempts < 3) {
      if (attempts === 1) throw new Error('not a key')
      return { result: 'later', error: 'HTTP 403' }
    }
    seen.push(at)
    return { result: 'accepted' }
  }
  await notify(mine.merchantId)
  assert.equal(await send(push), 1)
  assert.deepEqual(seen, [endpoint('fine')])
  assert.equal((await readPushSubscription(deps, mine, computePushDeviceId(endpoint('gone')))).on, false)
  for (const seconds of [30, 120]) {
    deps.pass(seconds)
    await send(push)
  }
  assert.deepEqual(seen, [endpoint('fine'), endpoint('slow')])
  await notify(mine.merchantId)
  for (let hour = 0; hour < 24; hour++) {
    assert.equal((await pushesThatWait()).length, 2)
    deps.pass(3_600)
    await send(async () => ({ result: 'later', error: 'HTTP 500', isAway: true }))
  }
  assert.deepEqual(await pushesThatWait(), [], 'given up after a day')
})

test('a push whose attempt was never recorded is sent again once its lease is over', async () => {
  const mine = await signedIn()
  await add(mine, device('crash'), 'en')
  await notify(mine.merchantId)
  await deps.owner.query('update messages set due_at = $1, tries = 1', [deps.clock() + 60])
  await send()
  assert.equal(deps.pushes.length, 0)
  deps.pass(60)
  await send()
  assert.equal(deps.pushes.length, 1)
})

test('a device has one owner, strangers cannot remove it, and a merchant has at most ten', async () => {
  const mine = await signedIn()
  const other = await signedIn()
  const id = computePushDeviceId(endpoint('shared'))
  await add(mine, device('shared'), 'en')
  await removePushDevice(deps, other, id, visitor)
  assert.deepEqual(
    [(await readPushSubscription(deps, mine, id)).on, (await readPushSubscription(deps, other, id)).on],
    [true, false],
  )
  await add(other, device('shared'), 'en')
  assert.deepEqual(
    [(await readPushSubscription(deps, mine, id)).on, (await readPushSubscription(deps, other, id)).on],
    [false, true],
  )
  await removePushDevice(deps, other, id, visitor)
  await removePushDevice(deps, other, id, visitor)

  for (let n = 1; n < limits.pushDevicesMax; n++) await add(mine, device(`d${n}`), 'en')
  const both = await Promise.allSettled(['x', 'y'].map(name => add(mine, device(name), 'en')))
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  await add(mine, device('d1'), 'en')
  await assert.rejects(add(mine, device('z'), 'en'), { reason: 'push_devices' })
  for (const wrong of [
    'http://push.example/1',
    'https://user:word@push.example/1',
    'https://127.0.0.1/1',
    'https://[::1]/1',
    'https://10.0.0.8/1',
    'https://169.254.169.254/1',
    'https://localhost/1',
  ])
    await assert.rejects(add(other, { ...device('h'), endpoint: wrong }, 'en'), {
      reason: 'push_endpoint',
    })
})

test('pushes end with the session, with signing out everywhere, and with the account', async () => {
  const mine = await signedIn()
  const second = await signedIn(mine.merchantId)
  const third = await signedIn(mine.merchantId)
  const all = { s1: mine, s2: second, s3: third }
  const on = async () => {
    const states = Object.keys(all).map(
      async name => (await readPushSubscription(deps, mine, computePushDeviceId(endpoint(name)))).on,
    )
    return (await Promise.all(states)).filter(Boolean).length
  }
  for (const [name, session] of Object.entries(all)) await add(session, device(name), 'en')
  await logout(deps, third, visitor)
  assert.equal(await on(), 2)
  await endOneSession(deps, mine, second.id, visitor)
  assert.equal(await on(), 1)
  // The session of a device can have expired before.
  await add({ ...third, id: 'expired' }, device('s3'), 'en')
  await endOtherSessions(deps, mine, visitor)
  assert.equal(await on(), 1)
  await deps.owner.query('update merchants set frozen = true where id = $1', [mine.merchantId])
  await notify(mine.merchantId)
  await send()
  assert.equal(deps.pushes.length, 0)
  assert.deepEqual(await pushesThatWait(), [])
})

test('a stolen session cannot make a device read on, and its owner is notified of every device', async () => {
  const mine = await signedIn()
  const given = { session: mine, device: device('wiretap'), from: visitor as Visitor }
  await assert.rejects(addPushDevice(deps, given), { reason: 'proof_needed' })
  await assert.rejects(addPushDevice(deps, { ...given, proof: { method: 'email', code: '000000' } }), {
    reason: 'email_code_error',
  })
  await add(mine, device('own'), 'en')
  const stolen = { ...device('own'), p256dh: 'C'.repeat(87) }
  await assert.rejects(addPushDevice(deps, { ...given, device: stolen }), { reason: 'proof_needed' }, 'other keys')
  await deps.delivered()
  assert.match(deps.mails.at(-1)!.text, /shows payments.*#not-me=/s)
  const { rows } = await deps.owner.query('select type from audit_log where merchant_id = $1 order by seq', [
    mine.merchantId,
  ])
  assert.equal(rows.at(-1).type, 'push_added')
  const listed = await listPushDevices(deps, mine)
  assert.deepEqual(
    listed.map(each => [each.id, each.current, each.last_seen]),
    [[computePushDeviceId(endpoint('own')), true, deps.clock()]],
  )
  await removePushDevice(deps, mine, listed[0]!.id, visitor)
  assert.deepEqual(await listPushDevices(deps, mine), [])
})

test('a device ends 90 days after the last sign-in on it', async () => {
  const mine = await signedIn()
  await add(mine, device('old'), 'en')
  deps.pass(80 * 86_400)
  const later = await signedIn(mine.merchantId)
  await addPushDevice(deps, { session: later, device: device('old'), from: visitor as Visitor })
  assert.equal((await listPushDevices(deps, later))[0]!.current, true, 'bound to the session that is open on it now')
  deps.pass(89 * 86_400)
  await endUnseenPushDevices(deps)
  assert.equal((await listPushDevices(deps, later)).length, 1)
  deps.pass(86_400)
  await notify(mine.merchantId)
  assert.deepEqual(await pushesThatWait(), [])
  await endUnseenPushDevices(deps)
  assert.deepEqual(await listPushDevices(deps, later), [])
})
