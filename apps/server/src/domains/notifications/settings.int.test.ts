import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { type EventName, events } from '@coffer/contract/events.ts'
import type { SettingChannel, SettingMode } from '@coffer/contract/kit/message-settings.ts'
import type { NotificationReader } from '../../kit/audience.ts'
import { insertEvents } from '../../kit/outbox.ts'
import { call } from '../../testing/call.ts'
import { withDeps } from '../../testing/deps.ts'
import { ownerOf, setTestRole, testMember } from '../../testing/members.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { messageHandlers } from './routes.ts'
import { makeMessageSender } from './sender.ts'
import { readMessageSettings, saveMessageSettings } from './settings.ts'

const deps = await withDeps({ after })

beforeEach(async () => {
  deps.mails.length = 0
  deps.chats.length = 0
  await deps.owner.query('delete from messages')
})

const at = (text: string) => Date.parse(text) / 1_000
/** Sets the clock, which only goes forwards. */
const passTo = (text: string) => deps.pass(at(text) - deps.clock())
const day = { time_zone: '', quiet_from: 0, quiet_until: 0 }
const setting = (event: EventName, channel: SettingChannel, mode: SettingMode) => ({ event, channel, mode })
const save = (reader: NotificationReader, list: ReturnType<typeof setting>[], clock: Partial<typeof day> = {}) =>
  saveMessageSettings(deps, reader, { ...day, ...clock, list })
const params = { amount: '5', token: 'USDT', chain: 'Ethereum', order: '1', url: 'https://shop.example', event: 'paid' }
const tell = (merchant_id: string, name: EventName, trade_no = '1') =>
  insertEvents(deps.pool, [{ merchant_id, name, params: { ...params, trade_no }, created_at: deps.clock() }])
const stored = async () =>
  (await deps.owner.query('select channel, event, mode, due_at::int, result from messages order by created_at, id'))
    .rows

test('a mail about an event that is only in the list is sent to whoever wants it, and to nobody else', async () => {
  const { id: shop } = await testMerchant(deps)
  const other = await testMember(deps, deps.owner, { merchantId: shop, role: 'owner' })
  const { id: elsewhere } = await testMerchant(deps)
  await save(ownerOf(shop), [setting('callback_given_up', 'mail', 'now')])
  for (const id of [shop, elsewhere]) await tell(id, 'callback_given_up')
  await deps.delivered()
  const [mail, ...others] = deps.mails
  assert.deepEqual(others, [])
  assert.notEqual(mail!.to, other.email)
  assert.equal(mail!.subject, 'Callback timeout')
  assert.match(mail!.text, /https:\/\/shop\.example did not confirm paid/)
  assert.match(mail!.text, /^Time: /m)
})

test('what is off does not come, and the list of notifications has it as before', async () => {
  const { id: shop } = await testMerchant(deps)
  const listed = async () =>
    (await call(messageHandlers, 'GET /api/v1/message', deps, shop, { query: {}, language: 'en' })).list.map(
      each => each.title,
    )
  await tell(shop, 'account_fees_changed')
  const before = await listed()
  await deps.delivered()
  assert.equal(deps.mails.length, 1)
  await save(ownerOf(shop), [setting('account_fees_changed', 'mail', 'off')])
  await tell(shop, 'account_fees_changed')
  await deps.delivered()
  assert.equal(deps.mails.length, 1)
  assert.deepEqual(await listed(), ['Fees changed', ...before])
  await save(ownerOf(shop), [])
  await tell(shop, 'account_fees_changed')
  await deps.delivered()
  assert.equal(deps.mails.length, 2, 'reset to what is usual')
})

test('a digest of the morning comes at eight by the clock of its reader, also after the clock changes', async () => {
  const { id: shop } = await testMerchant(deps)
  passTo('2026-03-28T09:00:00Z')
  await save(ownerOf(shop), [setting('payment_paid', 'mail', 'daily')], { time_zone: 'Europe/Berlin' })
  for (const order of ['1', '2', '3']) await tell(shop, 'payment_paid', order)
  await deps.delivered()
  assert.equal(deps.mails.length, 0)
  assert.deepEqual(new Set((await stored()).map(row => row.due_at)), new Set([at('2026-03-29T06:00:00Z')]))
  passTo('2026-03-29T06:00:00Z')
  await deps.delivered()
  assert.deepEqual(
    deps.mails.map(mail => mail.subject),
    ['3 payments, 15.00 USDT'],
  )
  assert.match(deps.mails[0]!.text, /^10:00 · 5\.00 USDT/m)
  assert.match(deps.mails[0]!.text, /^Times: 28 Mar 2026 \(Europe\/Berlin\)$/m)
})

test('a zone or a mode that is changed moves what waits, and what is turned off meanwhile does not come', async () => {
  const { id: shop } = await testMerchant(deps)
  const owner = ownerOf(shop)
  passTo('2026-04-01T09:00:00Z')
  await save(owner, [setting('payment_paid', 'mail', 'daily')], { time_zone: 'Europe/Berlin' })
  await tell(shop, 'payment_paid')
  const due = async () => {
    await deps.delivered()
    return (await stored()).map(row => row.due_at - at('2026-04-01T00:00:00Z'))
  }
  assert.deepEqual(await due(), [30 * 3_600])
  await save(owner, [setting('payment_paid', 'mail', 'daily')], { time_zone: 'Asia/Shanghai' })
  assert.deepEqual(await due(), [24 * 3_600])
  await save(owner, [setting('payment_paid', 'mail', 'hourly')], { time_zone: 'Asia/Shanghai' })
  assert.deepEqual(await due(), [10 * 3_600])
  await save(owner, [setting('payment_paid', 'mail', 'off')])
  assert.deepEqual(
    (await stored()).map(row => row.result),
    ['unwanted'],
  )
  deps.pass(86_400)
  await deps.delivered()
  assert.equal(deps.mails.length, 0)
})

test('quiet hours hold back what is good to know until they end, and never what may cost money', async () => {
  const { id: shop } = await testMerchant(deps)
  const night = { time_zone: 'UTC', quiet_from: 22, quiet_until: 7 }
  await save(ownerOf(shop), [], night)
  passTo('2026-05-01T23:30:00Z')
  await tell(shop, 'account_fees_changed')
  await tell(shop, 'account_password_changed')
  await deps.delivered()
  assert.deepEqual(
    deps.mails.map(mail => mail.subject),
    ['Your password was changed'],
  )
  await save(ownerOf(shop), [], night)
  await deps.delivered()
  assert.deepEqual(
    (await stored()).filter(row => row.result === '').map(row => row.due_at),
    [at('2026-05-02T07:00:00Z')],
  )
  passTo('2026-05-02T07:00:00Z')
  await deps.delivered()
  assert.equal(deps.mails.length, 2)
  await save(ownerOf(shop), [], { ...night, quiet_from: 0, quiet_until: 0 })
  await tell(shop, 'account_fees_changed')
  await deps.delivered()
  assert.equal(deps.mails.length, 3, 'the same hour twice is none')
})

test('what may cost money has no setting: neither the call nor the database takes one', async () => {
  const { id: shop } = await testMerchant(deps)
  const lost = (Object.keys(events) as EventName[]).filter(name => events[name].urgency === 'lost')
  const { list, always } = await readMessageSettings(deps, ownerOf(shop), 'en')
  assert.ok(lost.length > 40 && always.length > 30)
  assert.deepEqual(
    list.filter(({ event }) => lost.includes(event as EventName)),
    [],
  )
  for (const name of [...lost, 'from_tomorrow' as EventName, 'chain_halted' as const])
    await assert.rejects(save(ownerOf(shop), [setting(name, 'mail', 'off')]), { reason: 'parameter_error' }, name)
  await assert.rejects(save(ownerOf(shop), [setting('account_login', 'chat', 'now')]), { reason: 'parameter_error' })
  assert.equal((await deps.owner.query('select 1 from message_settings where person_id = $1', [shop])).rowCount, 0)
  for (const name of lost)
    await assert.rejects(
      deps.pool.query(`insert into message_settings values ($1, $1, $2, 'mail', 'off')`, [shop, name]),
      { code: '23514' },
      name,
    )
})

test('each has settings of the own, sees what the role concerns, and a lowered role ends what waits', async () => {
  const { id: shop } = await testMerchant(deps)
  const joined = await testMember(deps, deps.owner, { merchantId: shop, role: 'finance' })
  const { session: member } = await joined.signIn()
  const { personId } = joined
  await save(member, [setting('withdrawal_accomplished', 'mail', 'hourly'), setting('payment_paid', 'mail', 'hourly')])
  const modes = async (of: NotificationReader) =>
    (await readMessageSettings(deps, of, 'en')).list.flatMap(({ event, channels }) =>
      channels.filter(each => each.mode !== each.default).map(each => [event, each.channel, each.mode]),
    )
  assert.deepEqual(await modes(ownerOf(shop)), [])
  assert.equal((await modes(member)).length, 2)
  const clerk = { ...member, role: 'clerk' } as const
  const seen = (await readMessageSettings(deps, clerk, 'zh-CN')).list.map(each => each.event)
  assert.ok(seen.includes('payment_paid') && !seen.some(event => /withdrawal|callback|refund/.test(event)))
  await tell(shop, 'withdrawal_accomplished')
  for (const order of ['1', '2']) await tell(shop, 'payment_paid', order)
  await setTestRole(deps.owner, { merchantId: shop, personId, role: 'developer', now: deps.clock() })
  deps.pass(3_600)
  await deps.delivered()
  assert.deepEqual(
    deps.mails.map(mail => mail.subject),
    ['2 payments, 10.00 USDT'],
  )
})

test('what two pages of one person save at once is what one of them has', async () => {
  const { id: shop } = await testMerchant(deps)
  const owner = ownerOf(shop)
  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      save(owner, [
        setting('payment_paid', 'mail', n % 2 ? 'daily' : 'hourly'),
        setting('payment_late', 'mail', 'now'),
      ]),
    ),
  )
  const { rows } = await deps.owner.query('select event, mode from message_settings where person_id = $1 order by 1', [
    shop,
  ])
  assert.deepEqual(rows.length, 2)
})

test('a message that is under way is not changed by a new setting', async () => {
  const { id: shop } = await testMerchant(deps)
  await tell(shop, 'account_fees_changed')
  const sender = makeMessageSender(deps)
  const [leased] = await sender.lease()
  await save(ownerOf(shop), [setting('account_fees_changed', 'mail', 'off')])
  await sender.send(leased!)
  assert.deepEqual([deps.mails.length, (await stored()).map(row => row.result)], [1, ['accepted']])
})
