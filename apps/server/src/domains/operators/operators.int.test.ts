import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until, untilBlocked } from '@coffer/local/testing/until.ts'
import { generateSync } from 'otplib'
import { withDeps } from '../../testing/deps.ts'
import { password, visitor, wrongCode } from '../../testing/merchants.ts'
import { atShell, testOperator } from '../../testing/operators.ts'
import { checkAudit } from '../audit/check-audit.ts'
import { beginOperatorAction, readOperatorActions, recordOperatorAction } from './action-log.ts'
import { changeRole, removeOperator } from './change-operator.ts'
import { addOperator, readInvitation, redeemInvitation, renewOperatorInvitation } from './invitations.ts'
import { authenticateOperatorSession } from './sessions.ts'
import { confirmSession, signIn, verifySignIn } from './sign-in.ts'
import { asRole, operatorById } from './store.ts'

const deps = await withDeps({ after }, { config: { operatorUrl: 'https://console.example' } })
const secretOf = (link: string) => /#invitation=(.+)$/.exec(link)![1]!
const sessionOf = (token: string, pending = false) => authenticateOperatorSession(deps, { token, pending })
const from = visitor

test('activates an account by its link once, and signs in by password and authenticator', async () => {
  const { link } = await addOperator(deps, { email: 'first@example.com', role: 'finance' })
  assert.match(link, /^https:\/\/console\.example\/#invitation=/)
  await assert.rejects(addOperator(deps, { email: 'first@example.com', role: 'owner' }), { reason: 'operator_exists' })
  const invitation = secretOf(link)
  const { secret, offer, email } = await readInvitation(deps, { invitation, from })
  assert.equal(email, 'first@example.com')
  const code = (later = 0) => generateSync({ secret, epoch: deps.clock() + later })
  const given = { invitation, password, offer, from }
  await assert.rejects(redeemInvitation(deps, { ...given, code: wrongCode(code) }), { reason: 'google_code_error' })
  await assert.rejects(redeemInvitation(deps, { ...given, password: 'Password1', code: code() }), {
    reason: 'common_password',
  })
  const both = await Promise.allSettled([1, 2].map(() => redeemInvitation(deps, { ...given, code: code() })))
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  await assert.rejects(readInvitation(deps, { invitation, from }), { reason: 'invitation_ended' })

  await assert.rejects(signIn(deps, { email, password: 'Wrong1Horse', from }), { reason: 'wrong_credentials' })
  const { token } = await signIn(deps, { email, password, from })
  await assert.rejects(sessionOf(token), { reason: 'login_expired' })
  const session = await sessionOf(token, true)
  // The code that activated the account was used.
  await assert.rejects(verifySignIn(deps, { session, code: code(), from }), { reason: 'google_code_error' })
  deps.pass(30)
  const signedIn = await verifySignIn(deps, { session, code: code(), from })
  await assert.rejects(verifySignIn(deps, { session, code: code(), from }), { reason: 'login_expired' })
  const live = await sessionOf(signedIn.token)
  assert.deepEqual([live.role, live.freshUntil], ['finance', 0])
  deps.pass(30)
  assert.equal((await confirmSession(deps, { session: live, code: code() })).fresh_until, deps.clock() + 300)
})

test('ends a session without use, after a working day, and with a new link or a removal', async () => {
  const owner = await testOperator(deps, 'owner')
  const other = await testOperator(deps, 'owner')
  deps.pass(14 * 60)
  await sessionOf(owner.token)
  deps.pass(14 * 60)
  await sessionOf(owner.token)
  await assert.rejects(sessionOf(other.token), { reason: 'login_expired' })
  const { id, token } = await testOperator(deps, 'viewer')
  await sessionOf(token)
  const { link } = await renewOperatorInvitation(deps, { id })
  await assert.rejects(sessionOf(token), { reason: 'login_expired' })
  deps.pass(86_400)
  await assert.rejects(readInvitation(deps, { invitation: secretOf(link), from }), { reason: 'invitation_ended' })
  const leaving = await testOperator(deps, 'support')
  await changeRole(deps, { id: leaving.id, role: 'viewer' })
  assert.equal((await sessionOf(leaving.token)).role, 'viewer')
  await removeOperator(deps, { id: leaving.id })
  await assert.rejects(sessionOf(leaving.token), { reason: 'login_expired' })
  await assert.rejects(signIn(deps, { email: leaving.email, password, from }), { reason: 'wrong_credentials' })
  await assert.rejects(removeOperator(deps, { id: leaving.id }), { reason: 'operator_not_exist' })
})

test('keeps an owner, also when the last two are removed at once', async t => {
  const own = await withDeps(t)
  const one = await testOperator(own, 'owner')
  const two = await testOperator(own, 'owner')
  const both = await Promise.allSettled([one, two].map(({ id }) => removeOperator(own, { id })))
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  const left = both[0]!.status === 'rejected' ? one : two
  await assert.rejects(changeRole(own, { id: left.id, role: 'finance' }), { reason: 'last_owner' })
})

test('locks out nobody but who guesses', async () => {
  const { email } = await testOperator(deps, 'viewer')
  const guess = () => signIn(deps, { email, password: 'Wrong1Horse', from: { ...from, ip: '198.51.100.9' } })
  for (let tries = 0; tries < 10; tries++) await assert.rejects(guess, { reason: 'wrong_credentials' })
  await assert.rejects(guess, { reason: 'work_needed' })
  assert.ok((await signIn(deps, { email, password, from })).token)
})

test('strangers in many networks do not delay a device that signed in before, nor its network', async t => {
  const own = await withDeps(t)
  const { email, code } = await testOperator(own, 'owner')
  const device = { ...from, ip: '203.0.113.1', deviceToken: 'd'.repeat(43) }
  const { token } = await signIn(own, { email, password, from: device })
  const session = await authenticateOperatorSession(own, { token, pending: true })
  await verifySignIn(own, { session, code: code(), from: device })
  const stranger = (n: number) => ({ ...from, ip: `198.51.${n}.9`, deviceToken: undefined })
  for (let n = 0; n < 60; n++)
    await assert.rejects(signIn(own, { email, password: 'Wrong1Horse', from: stranger(n) }), {
      reason: 'wrong_credentials',
    })
  await assert.rejects(signIn(own, { email, password, from: stranger(61) }), { reason: 'work_needed' })
  for (const known of [
    { ...device, ip: '192.0.2.44' },
    { ...device, deviceToken: undefined },
  ])
    assert.ok((await signIn(own, { email, password, from: known })).token)
  for (let tries = 0; tries < 10; tries++)
    await assert.rejects(signIn(own, { email, password: 'Wrong1Horse', from: device }), { reason: 'wrong_credentials' })
  await assert.rejects(signIn(own, { email, password, from: device }), { reason: 'frequent_operation' })
})

test('an operator is mailed of wrong passwords once a day, and of a new device, once', async t => {
  const own = await withDeps(t)
  const { email, code } = await testOperator(own, 'owner')
  const enter = async (ip: string, deviceToken: string) => {
    const visitor = { ...from, ip, deviceToken }
    const { token } = await signIn(own, { email, password, from: visitor })
    const session = await authenticateOperatorSession(own, { token, pending: true })
    own.pass(30)
    await verifySignIn(own, { session, code: code(), from: visitor })
  }
  const subjects = async () => {
    await own.delivered()
    return own.mails.filter(mail => mail.to === email).map(mail => mail.subject.split(' / ')[0])
  }
  await enter('203.0.113.1', 'first')
  await enter('203.0.113.1', 'same network')
  await enter('198.51.100.1', 'first')
  assert.deepEqual(await subjects(), [])
  await enter('192.0.2.1', 'strange')
  await enter('192.0.2.1', 'strange')
  assert.deepEqual(await subjects(), ['Coffer: sign-in on a new device'])
  assert.match(own.mails.at(-1)!.text, /192\.0\.2\.1/)
  for (let n = 0; n < 12; n++)
    await assert.rejects(signIn(own, { email, password: 'Wrong1Horse', from: { ...from, ip: `198.51.${n}.9` } }), {
      reason: 'wrong_credentials',
    })
  await until('the operator is mailed', async () => (await subjects()).length > 1)
  await until('the server is idle', () => own.pool.waitingCount === 0 && own.pool.idleCount === own.pool.totalCount)
  assert.deepEqual(await subjects(), ['Coffer: sign-in on a new device', 'Coffer: wrong passwords'])
  for (let n = 0; n < 12; n++)
    await signIn(own, { email: 'nobody@example.com', password, from: { ...from, ip: `198.51.${n}.9` } }).catch(() => {})
  assert.equal(own.mails.length, 2, 'nobody else')
})

test('wrong codes of an operator are limited by the quarter of an hour and by the day, of strangers apart', async t => {
  const own = await withDeps(t)
  const { email, code } = await testOperator(own, 'owner')
  const known = { ...from, deviceToken: 'known' }
  const verify = async (visitor: typeof from, given: string) => {
    const { token } = await signIn(own, { email, password, from: visitor })
    const session = await authenticateOperatorSession(own, { token, pending: true })
    return verifySignIn(own, { session, code: given, from: visitor })
  }
  await verify(known, code())
  own.pass(30)
  const stranger = (n: number) => ({ ...from, ip: `198.51.${n}.9` })
  for (let quarter = 0; quarter < 5; quarter++) {
    for (let n = 0; n < 10; n++)
      await assert.rejects(verify(stranger(n), wrongCode(code)), { reason: 'google_code_error' })
    await assert.rejects(verify(stranger(11), code()), { reason: 'frequent_operation' })
    own.pass(900)
  }
  await assert.rejects(verify(stranger(12), code()), { reason: 'frequent_operation' }, 'fifty a day')
  assert.ok((await verify(known, code())).token)
})

test('a role that is not known may do nothing, and is listed as the least', async () => {
  const { id, token } = await testOperator(deps, 'owner')
  await deps.owner.query(`update members set role = 'auditor' where person_id = $1`, [id])
  await assert.rejects(authenticateOperatorSession(deps, { token, pending: false }), { reason: 'login_expired' })
  assert.equal(asRole((await operatorById(deps.pool, id))!.role), 'viewer')
})

test('shows each action once with its states, and what was interrupted', async t => {
  const own = await withDeps(t)
  const action = { by: atShell('a@example.com'), action: 'PUT merchants/:id/freeze', on: 'M1', from }
  await beginOperatorAction(own, { ...action, on: 'M2' }, null)
  own.pass(200)
  const end = await beginOperatorAction(own, action, { frozen: false })
  await end({ frozen: true, reason: 'asked' })
  const refused = await beginOperatorAction(own, { ...action, on: 'M3' }, null)
  await refused(null, 'merchant_not_exist')
  const { list, next } = await readOperatorActions(own, {})
  assert.deepEqual(
    list.map(each => [each.action, each.subject, each.outcome, each.reason]),
    [
      ['PUT merchants/:id/freeze', 'M3', 'refused', 'merchant_not_exist'],
      ['PUT merchants/:id/freeze', 'M1', 'done', ''],
      ['PUT merchants/:id/freeze', 'M2', 'interrupted', ''],
    ],
  )
  assert.deepEqual([list[1]!.before, list[1]!.after, next], [{ frozen: false }, { frozen: true, reason: 'asked' }, 0])
  assert.deepEqual((await readOperatorActions(own, { text: 'm3' })).list.length, 1)

  // An action with begin and end on both sides of a filter is not interrupted, and filters see more than one page.
  const early = own.clock()
  const late = await beginOperatorAction(own, { ...action, by: atShell('b@example.com'), on: 'M4' }, null)
  own.pass(500)
  await late(null)
  for (let n = 0; n < 70; n++) await recordOperatorAction(own, { ...action, on: `many ${n}` })
  const subjects = async (filter: Parameters<typeof readOperatorActions>[1]) =>
    (await readOperatorActions(own, filter)).list.map(each => `${each.subject} ${each.outcome}`)
  assert.deepEqual(await subjects({ who: 'B@Example' }), ['M4 done'])
  assert.deepEqual(await subjects({ text: 'm1' }), ['M1 done'])
  assert.deepEqual(await subjects({ who: 'nobody' }), [])
  assert.deepEqual(await subjects({ who: '%' }), [])
  const earlier = await subjects({ end_time: early })
  assert.deepEqual(earlier, ['M3 refused', 'M1 done', 'M2 interrupted'])
  const first = await readOperatorActions(own, { start_time: early + 1 })
  assert.equal(first.list.length, 60)
  const second = await readOperatorActions(own, { start_time: early + 1, before: first.next })
  assert.deepEqual([second.list.length, second.list.at(-1)?.subject, second.next], [11, 'M4', 0])
  assert.deepEqual((await checkAudit(own)).faults, [])
  await assert.rejects(own.pool.query("update audit_log set device = 'b@example.com'"), { code: '42501' })
})

test('a sign-in holds nothing that a change of operators waits for', async t => {
  const own = await withDeps(t)
  const { id, email, code } = await testOperator(own, 'owner')
  const { token } = await signIn(own, { email, password, from })
  const session = await authenticateOperatorSession(own, { token, pending: true })
  const changing = await own.pool.connect()
  try {
    await changing.query('begin')
    await changing.query('select from members where person_id = $1 for update', [id])
    const verified = verifySignIn(own, { session, code: code(), from })
    await untilBlocked(own.owner)
    await changing.query('select from persons where id = $1 for update nowait', [id])
    await changing.query('commit')
    assert.ok((await verified).token)
  } finally {
    changing.release(true)
  }
})
