import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errors, type RouteData, type RouteKey } from '@coffer/contract'
import type { SettingMode } from '@coffer/contract/kit/message-settings.ts'
import { newId } from '../../kit/ids.ts'
import { insertEvents } from '../../kit/outbox.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { makeApp } from '../../serve.ts'
import { withDeps } from '../../testing/deps.ts'
import { setTestRole, testMember } from '../../testing/members.ts'
import { newSession, testMerchant } from '../../testing/merchants.ts'
import { insertTicket } from '../identity/store.ts'
import { computePushDeviceId, ensurePushKeys } from './push-keys.ts'

/* What reaches a person, as others try to read and change it: by requests over HTTP. */

const deps = await withDeps({ after })
await ensurePushKeys(deps)
const app = await makeApp(deps)
after(() => app.close())

interface Answer<K extends RouteKey> {
  code: number
  msg: string
  field?: string
  data: RouteData<K>
}
let sent = 0
/** Makes a call; `payload` is the body or, where there is none, the query. */
async function ask<K extends RouteKey>(key: K, token: string, payload: object = {}): Promise<Answer<K>> {
  const [method = '', url = ''] = key.split(' ')
  const hasBody = ['POST', 'PUT'].includes(method)
  const query = hasBody ? '' : `?${new URLSearchParams(payload as Record<string, string>)}`
  const answer = await app.inject({
    method: method as 'GET',
    url: url + query,
    remoteAddress: `10.2.${(++sent >> 8) & 255}.${sent & 255}`,
    headers: { 'x-token': token },
    ...(hasBody && { payload }),
  })
  return answer.json()
}
async function done<K extends RouteKey>(key: K, token: string, payload?: object): Promise<RouteData<K>> {
  const { code, msg, data } = await ask(key, token, payload)
  assert.equal(code, 200, `${key}: ${msg}`)
  return data
}

interface Reader {
  personId: string
  token: string
}

/** Two shops: an owner and a member of one, who also has the other, and a stranger. */
async function people() {
  const { id: shop } = await testMerchant(deps)
  const owner: Reader = { personId: shop, token: await newSession(deps, shop) }
  const made = await testMember(deps, deps.owner, { merchantId: shop, role: 'developer' })
  const member: Reader = { personId: made.personId, token: (await made.signIn()).token }
  const elsewhere: Reader = { personId: made.personId, token: await newSession(deps, made.personId) }
  const { id: stranger } = await testMerchant(deps)
  return { owner, member, elsewhere, stranger: { personId: stranger, token: await newSession(deps, stranger) } }
}

async function proofOf(personId: string) {
  const code = newId()
  await insertTicket(deps.pool, hashSecret(code), personId, 'push-device', deps.clock() + 300)
  return { method: 'ticket', code }
}

const chosen = (mode: SettingMode) => ({
  time_zone: 'Europe/Berlin',
  quiet_from: 22,
  quiet_until: 7,
  list: [{ event: 'payment_paid', channel: 'mail', mode }],
})
const settingsOf = ({ token }: Reader) => done('GET /api/v1/message/settings', token)
/** What somebody has chosen, and the hours of quiet. */
async function choicesOf(of: Reader) {
  const { list, quiet_from, time_zone } = await settingsOf(of)
  const changed = list.flatMap(({ event, channels }) =>
    channels.flatMap(each => (each.mode === each.default ? [] : [`${event} ${each.channel} ${each.mode}`])),
  )
  return { changed, quiet_from, time_zone }
}
const nothing = { changed: [], quiet_from: 0, time_zone: '' }

test('what a person chooses holds for that person in that shop, and nobody else reads or changes it', async () => {
  const { owner, member, elsewhere, stranger } = await people()
  await done('PUT /api/v1/message/settings', member.token, chosen('daily'))
  const clock = { quiet_from: 22, time_zone: 'Europe/Berlin' }
  const ofMember = { changed: ['payment_paid mail daily'], ...clock }
  assert.deepEqual(await choicesOf(member), ofMember)
  assert.deepEqual(
    await choicesOf(elsewhere),
    { changed: [], ...clock },
    'the clock is the person’s, the rest the shop’s',
  )
  for (const other of [owner, stranger]) assert.deepEqual(await choicesOf(other), nothing)

  for (const other of [owner, stranger, elsewhere])
    await done('PUT /api/v1/message/settings', other.token, { ...chosen('hourly'), ...clock })
  assert.deepEqual(await choicesOf(member), ofMember)
  // No call says whom it is for.
  for (const id of ['person_id', 'personId', 'merchant_id', 'id']) {
    const answer = await ask('PUT /api/v1/message/settings', owner.token, { ...chosen('off'), [id]: member.personId })
    assert.equal(answer.code, errors.parameter_error.code, id)
  }
  await done('PUT /api/v1/message/settings', owner.token, { ...chosen('off'), list: [] })
  assert.deepEqual(await choicesOf(member), ofMember)
})

test('a zone, hour, event, channel or mode that there is not is refused in words, and changes nothing', async () => {
  const { member } = await people()
  await done('PUT /api/v1/message/settings', member.token, chosen('daily'))
  const before = await settingsOf(member)
  const zone = /time_zone: empty, or a time zone of the IANA database, such as Asia\/Shanghai/
  const hour = (field: string) => new RegExp(`${field}: (required, )?a whole number from 0 to 23`)
  const entry = (changes: object) => ({ list: [{ event: 'payment_late', channel: 'mail', mode: 'off', ...changes }] })
  const listed = /list\.0: an event with a channel that GET \/api\/v1\/message\/settings lists/
  const refused: [object, RegExp][] = [
    ...[
      'Mars/Olympus',
      "UTC'; drop table persons; --",
      '../../etc/passwd',
      'x'.repeat(5_000),
      '\u0000',
      8,
      null,
      {},
    ].map((time_zone): [object, RegExp] => [{ time_zone }, zone]),
    [{ quiet_from: 1.5 }, /quiet_from: a whole number, not a fraction/],
    ...[24, -1, '7', null, 1e21].flatMap((hours): [object, RegExp][] => [
      [{ quiet_from: hours }, hour('quiet_from')],
      [{ quiet_until: hours }, hour('quiet_until')],
    ]),
    [entry({ event: 'no_such_event' }), listed],
    [entry({ event: '__proto__' }), listed],
    [entry({ event: 'constructor' }), listed],
    [entry({ event: 'account_password_changed' }), listed],
    [entry({ event: 'members_changed' }), listed],
    [entry({ event: 'alert_incident' }), listed],
    [entry({ event: 'account_login', channel: 'chat' }), listed],
    [entry({ event: 'x'.repeat(65) }), /list\.0\.event: at most 64 characters/],
    [entry({ channel: 'text' }), /list\.0\.channel: one of mail, push, chat/],
    [entry({ channel: 'hook' }), /list\.0\.channel: one of mail, push, chat/],
    [entry({ mode: 'never' }), /list\.0\.mode: one of now, hourly, daily, off/],
    [entry({ mode: '' }), /list\.0\.mode: one of now, hourly, daily, off/],
    [entry({ person_id: 'x' }), /list\.0\.person_id: unknown field/],
    [{ list: Array.from({ length: 301 }, () => entry({}).list[0]) }, /list: at most 300 entries/],
    [{ list: {} }, /list: a list, not an object/],
  ]
  for (const [changes, said] of refused) {
    const payload = { ...chosen('off'), quiet_from: 1, quiet_until: 2, time_zone: 'UTC', ...changes }
    const { code, msg, field } = await ask('PUT /api/v1/message/settings', member.token, payload)
    assert.deepEqual(
      [code, field !== undefined],
      [errors.parameter_error.code, true],
      JSON.stringify(changes).slice(0, 99),
    )
    assert.match(msg, said)
    assert.ok(msg.length < 200, msg)
  }
  assert.deepEqual(await settingsOf(member), before)
})

test('an event that the role does not concern may be chosen, and comes once it does', async () => {
  const { owner, member } = await people()
  const merchant_id = owner.personId
  const name = 'withdrawal_accomplished'
  const isListed = async () => (await settingsOf(member)).list.some(({ event }) => event === name)
  const params = { amount: '10', token: 'USDT', chain: 'Ethereum', id: newId() }
  const tell = async () => {
    await insertEvents(deps.pool, [{ merchant_id, name, params, created_at: deps.clock() }])
    deps.mails.length = 0
    await deps.delivered()
    return deps.mails.map(({ subject }) => subject)
  }
  const choice = {
    ...chosen('now'),
    quiet_from: 0,
    quiet_until: 0,
    list: [{ event: name, channel: 'mail', mode: 'now' }],
  }
  await done('PUT /api/v1/message/settings', member.token, choice)
  await deps.delivered()
  assert.deepEqual([await isListed(), await tell()], [false, []])
  await setTestRole(deps.owner, {
    merchantId: merchant_id,
    personId: member.personId,
    role: 'finance',
    now: deps.clock(),
  })
  assert.deepEqual([await isListed(), await tell()], [true, ['Withdrawal accomplished']])
})

const endpoint = 'https://push.example/member'
const device = computePushDeviceId(endpoint)
const subscription = { endpoint, p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) }

test('devices, chats and systems are their person’s alone, in the shop where they were added', async () => {
  const { owner, member, elsewhere, stranger } = await people()
  const url = 'https://hooks.slack.com/services/T0/B0/member'
  const name = 'Ops of the member'
  const proof = () => proofOf(member.personId)
  const { id } = await done('POST /api/v1/message/channel', member.token, { name, url, proof: await proof() })
  await done('POST /api/v1/message/push', member.token, { ...subscription, proof: await proof() })
  await done('PUT /api/v1/message/settings', member.token, chosen('now'))
  await deps.delivered()
  const sentToMember = (await done('GET /api/v1/message/sent', member.token)).list
  assert.ok(sentToMember.length > 0)

  for (const other of [owner, stranger, elsewhere]) {
    const isSamePerson = other === elsewhere
    const seen = await Promise.all([
      done('GET /api/v1/message/channel', other.token),
      done('GET /api/v1/message/sent', other.token),
      done('GET /api/v1/message/settings', other.token),
    ])
    assert.doesNotMatch(JSON.stringify(seen), new RegExp(`${id}|${name}|hooks\\.slack|${device}`))
    for (const { id: of } of sentToMember) assert.ok(!seen[1].list.some(each => each.id === of))
    const tested = await ask('POST /api/v1/message/channel/test', other.token, { id })
    assert.equal(tested.code, errors.operation_failed.code)
    await done('DELETE /api/v1/message/channel', other.token, { id })
    // A device is the person's in all shops.
    assert.equal((await done('GET /api/v1/message/push', other.token, { device })).on, isSamePerson)
    if (!isSamePerson) await done('DELETE /api/v1/message/push', other.token, { device })
    // A proof of one person adds nothing for another.
    if (!isSamePerson)
      for (const [key, payload] of [
        ['POST /api/v1/message/channel', { name, url }],
        ['POST /api/v1/message/push', subscription],
        ['POST /api/v1/message/channel/telegram', {}],
      ] as const)
        assert.notEqual((await ask(key, other.token, { ...payload, proof: await proof() })).code, 200, key)
  }
  assert.deepEqual(
    (await done('GET /api/v1/message/channel', member.token)).list.map(each => each.id),
    [id],
  )
  assert.equal((await done('GET /api/v1/message/push', member.token, { device })).on, true)
  assert.equal(deps.chats.length, 0, 'no test went out')
  assert.equal((await done('POST /api/v1/message/channel/test', member.token, { id })).ok, true)
  await done('DELETE /api/v1/message/channel', member.token, { id })
  assert.deepEqual((await done('GET /api/v1/message/channel', member.token)).list, [])
})
