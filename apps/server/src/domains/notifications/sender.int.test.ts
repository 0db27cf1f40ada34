import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { tx } from '../../kit/db.ts'
import { insertEvents, type NewEvent } from '../../kit/outbox.ts'
import { formatMoment } from '../../kit/time-zone.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { breakOnce } from '../../testing/break.ts'
import { withDeps } from '../../testing/deps.ts'
import { setTestRole, testMember } from '../../testing/members.ts'
import { changeTestMerchant, testMerchant } from '../../testing/merchants.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { deleteOldMessages } from './message-store.ts'
import { makeMessageSender, sendDueMessages } from './sender.ts'

const deps = await withDeps({ after })
const from = { ip: '203.0.113.7', device: '', language: 'en' } as unknown as Visitor
const { send } = deps.mail

beforeEach(async () => {
  deps.mails.length = 0
  deps.texts.length = 0
  deps.mail.send = send
  await deps.owner.query('delete from messages')
})

const report = (merchant_id: string, name: NewEvent['name'], more: Partial<NewEvent> = {}) =>
  insertEvents(deps.pool, [{ merchant_id, name, params: {}, created_at: deps.clock(), ...more }])
const stored = async () =>
  (await deps.owner.query('select channel, address, tries, result, error, due_at::int from messages order by id')).rows

/** Makes the mail server refuse what `fails` tells, with an error as the mail client has it. */
function refuse(fails: (to: string) => object | undefined): string[] {
  const tried: string[] = []
  deps.mail.send = async mail => {
    tried.push(mail.to)
    const error = fails(mail.to)
    if (error) throw Object.assign(new Error('refused'), error)
    await send(mail)
  }
  return tried
}

test('what is rolled back is told to nobody, and what is committed is sent although the process died', async () => {
  const { id, email } = await testMerchant(deps)
  const change = (of = deps.pool) =>
    tx(of, async (_, uow) =>
      recordEvent(deps, uow, { merchantId: id, personId: id, type: 'authenticator_bound', from }),
    )
  await assert.rejects(change(breakOnce(deps.pool, /^commit/)), /killed here/)
  assert.deepEqual(await stored(), [])
  await change()
  assert.equal(deps.mails.length, 0, 'nothing is sent by the verb')
  await sendDueMessages({ ...deps })
  assert.deepEqual(
    deps.mails.map(mail => [mail.to, mail.subject]),
    [[email, 'An authenticator was bound to your account']],
  )
})

test('an alarm reaches the present and every former address, and the verified phone as it was before', async () => {
  const { id, email } = await testMerchant(deps)
  await deps.owner.query(`insert into former_emails values ($1, 'one@example.com', 1), ($1, 'two@example.com', 2)`, [
    id,
  ])
  await report(id, 'account_passkey_added')
  await deps.delivered()
  assert.deepEqual(deps.mails.map(mail => mail.to).sort(), [email, 'one@example.com', 'two@example.com'].sort())
  assert.equal(deps.texts.length, 0, 'a phone that was not verified')
  await changeTestMerchant(deps.owner, id, { phone: '13800138000', area_code: '86', phone_verified: true })
  await report(id, 'account_phone_bound', { formerPhone: '+8613900139000' })
  await report(id, 'account_phone_bound', { formerPhone: '' })
  await report(id, 'account_passkey_added')
  await deps.delivered()
  assert.deepEqual(
    deps.texts.map(text => text.to),
    ['+8613900139000', '+8613800138000'],
  )
  for (const { text } of [...deps.texts, ...deps.mails]) assert.match(text, /#not-me=/)
})

test('what readers expect is not sent, and an event reaches nobody who is excepted', async () => {
  const { id } = await testMerchant(deps)
  const { personId, email } = await testMember(deps, deps.owner, { merchantId: id, role: 'owner' })
  await report(id, 'account_withdrawal_requested', { isExpected: true })
  await report(id, 'account_policy_loosened', { except: id })
  await deps.delivered()
  assert.deepEqual(
    deps.mails.map(mail => mail.to),
    [email],
  )
  assert.equal((await deps.owner.query('select 1 from notifications where person_id = $1', [personId])).rowCount, 0)
})

test('who lost the role, or belongs to the shop no more, gets nothing that waits; what is personal is sent', async () => {
  const { id } = await testMerchant(deps)
  const finance = await testMember(deps, deps.owner, { merchantId: id, role: 'finance' })
  const gone = await testMember(deps, deps.owner, { merchantId: id, role: 'finance' })
  await report(id, 'account_withdrawal_requested', { except: id })
  await report(id, 'account_password_changed', { person_id: gone.personId })
  await setTestRole(deps.owner, { merchantId: id, personId: finance.personId, role: 'viewer', now: deps.clock() })
  await deps.owner.query('update members set removed_at = 1 where person_id = $1', [gone.personId])
  await deps.delivered()
  assert.deepEqual(
    deps.mails.map(mail => [mail.to, mail.subject]),
    [[gone.email, 'Your password was changed']],
  )
  assert.deepEqual((await stored()).map(row => row.result).sort(), ['accepted', 'unwanted', 'unwanted'])
})

test('a mail that is late says when it happened, by the clock that the reader has by then', async () => {
  const { id } = await testMerchant(deps)
  await deps.owner.query(`update persons set time_zone = 'Europe/Berlin' where id = $1`, [id])
  refuse(() => ({ command: 'RCPT TO', responseCode: 450 }))
  await report(id, 'account_password_changed')
  const happened = deps.clock()
  await deps.delivered()
  deps.pass(7_200)
  deps.mail.send = send
  await deps.owner.query(`update persons set time_zone = 'Asia/Shanghai' where id = $1`, [id])
  await deps.delivered()
  assert.ok(deps.mails[0]!.text.includes(`Time: ${formatMoment(happened, 'Asia/Shanghai', 'en')}\n`))
})

test('a mailbox that does not exist is tried once, one that is full later, and neither holds up others', async () => {
  const gone = await testMerchant(deps)
  const full = await testMerchant(deps)
  const fine = await testMerchant(deps)
  const tried = refuse(to => {
    if (to === gone.email) return { command: 'RCPT TO', responseCode: 550, response: '550 5.1.1 no such user' }
    return to === full.email ? { command: 'RCPT TO', responseCode: 452, response: '452 4.2.2 full' } : undefined
  })
  for (const { id } of [gone, full, fine]) await report(id, 'account_password_changed')
  await deps.delivered()
  assert.deepEqual(tried.sort(), [gone.email, full.email, fine.email].sort())
  const of = async (email: string) => (await stored()).find(row => row.address === email)!
  assert.deepEqual([(await of(gone.email)).result, (await of(gone.email)).error], ['refused', 'refused'])
  assert.equal((await of(full.email)).due_at, deps.clock() + 30)
  assert.equal((await of(fine.email)).result, 'accepted')
  deps.pass(30)
  await deps.delivered()
  assert.deepEqual(tried.slice(3), [full.email])
})

test('a message is tried for three days where money may be lost, and one day where it is good to know', async () => {
  const { id } = await testMerchant(deps)
  refuse(() => ({ command: 'RCPT TO', responseCode: 450 }))
  await report(id, 'account_password_changed')
  await report(id, 'account_fees_changed')
  const days: Record<string, number> = {}
  const began = deps.clock()
  while ((await stored()).some(row => row.result === '')) {
    deps.pass(1_800)
    await deps.delivered()
    const { rows } = await deps.owner.query(`select event from messages where result = 'expired'`)
    for (const { event } of rows) days[event] ??= (deps.clock() - began) / 86_400
  }
  assert.ok(days.account_fees_changed! > 0.9 && days.account_fees_changed! <= 1, String(days.account_fees_changed))
  assert.ok(days.account_password_changed! > 2.9 && days.account_password_changed! <= 3)
})

test('while the mail server is away one message asks for it, and its return sends all', async () => {
  const { id } = await testMerchant(deps)
  for (let n = 0; n < 100; n++) await report(id, 'account_password_changed')
  let isAway = true
  const tried = refuse(() => (isAway ? { code: 'ECONNECTION', command: 'CONN' } : undefined))
  const sender = makeMessageSender(deps)
  const pass = async (seconds: number) => {
    deps.pass(seconds)
    await sendDueMessages(deps, sender)
  }
  await pass(0)
  const first = tried.length
  assert.ok(first <= 5, `${first} of 100 at once`)
  for (let minute = 0; minute < 10; minute++) await pass(60)
  assert.ok(tried.length - first < 10, `${tried.length - first} in ten minutes`)
  isAway = false
  for (let hour = 0; hour < 3; hour++) await pass(3_600)
  assert.equal(deps.mails.length, 100)
})

test('a merchant with a thousand mails delays nobody', async () => {
  const busy = await testMerchant(deps)
  const other = await testMerchant(deps)
  await insertEvents(
    deps.pool,
    Array.from({ length: 1_000 }, () => ({
      merchant_id: busy.id,
      name: 'account_password_changed' as const,
      params: {},
      created_at: deps.clock(),
    })),
  )
  deps.pass(1)
  await report(other.id, 'account_password_changed')
  const sender = makeMessageSender(deps)
  // Its attempts never end.
  const hanging: string[] = []
  deps.mail.send = ({ to }) => {
    hanging.push(to)
    return to === busy.email ? new Promise(() => {}) : Promise.resolve()
  }
  for (let round = 0; round < 3; round++)
    for (const message of await sender.lease()) {
      const attempt = sender.send(message)
      if (message.address === other.email) await attempt
    }
  assert.deepEqual([hanging.filter(to => to === busy.email).length, hanging.includes(other.email)], [5, true])
})

test('an attempt that was never recorded is made again once its lease is over, and one that lost it records nothing', async () => {
  const { id } = await testMerchant(deps)
  await report(id, 'account_password_changed')
  const [lost] = await makeMessageSender(deps).lease()
  await deps.delivered()
  assert.equal(deps.mails.length, 0)
  deps.pass(120)
  refuse(() => ({ command: 'DATA', responseCode: 451 }))
  await deps.delivered()
  const [again] = await stored()
  assert.deepEqual([again?.tries, again?.due_at], [2, deps.clock() + 120])
  // The first attempt fails at last.
  await makeMessageSender(deps).send(lost!)
  assert.deepEqual(await stored(), [again])
  deps.mail.send = send
  await makeMessageSender(deps).send(lost!)
  assert.equal((await stored())[0]?.result, 'accepted', 'what arrived is over')
})

test('what was sent is forgotten after its time', async () => {
  const { id } = await testMerchant(deps)
  await report(id, 'account_password_changed')
  await deps.delivered()
  await deleteOldMessages(deps.pool, deps.clock())
  assert.equal((await stored()).length, 1)
  await deleteOldMessages(deps.pool, deps.clock() + 1)
  assert.deepEqual(await stored(), [])
})

test('times are found when there may be new ones, and not at every look for what is due', async () => {
  const looks: string[] = []
  const pool = new Proxy(deps.pool, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value
      return (query: { name?: string }) => {
        if (query.name === 'messages-to-place') looks.push(query.name)
        return target.query(query as never)
      }
    },
  })
  const sender = makeMessageSender({ ...deps, pool })
  const looksOf = async (times: number) => {
    const before = looks.length
    for (let n = 0; n < times; n++) await sender.lease()
    return looks.length - before
  }
  assert.equal(await looksOf(5), 1)
  sender.noteNew()
  assert.equal(await looksOf(5), 1)
  deps.pass(10)
  assert.equal(await looksOf(5), 1, 'without a hint')
})
