import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merchantStatus, notificationStatus, notificationType } from '@coffer/contract'
import { breakOnce } from '../../../testing/break.ts'
import { type TestDeps, withDeps } from '../../../testing/deps.ts'
import { codeIn, password, testMerchant, visitor } from '../../../testing/merchants.ts'
import { sendEmailCode } from '../codes/send-code.ts'
import { authenticateSession } from '../sessions/sessions.ts'
import { register } from './register.ts'

const email = 'ann@example.com'

async function codeFor(deps: TestDeps, to = email): Promise<string> {
  await sendEmailCode(deps, { purpose: 2, email: to, session: null, from: visitor })
  return codeIn(deps.mails.at(-1))
}
const form = (code: string) => ({ email, code, password, confirm_password: password, from: visitor })

test('registers with the email code, signs in, and stores no plain password', async t => {
  const deps = await withDeps(t)
  const code = await codeFor(deps)
  const { token, verification } = await register(deps, { ...form(code), time_zone: 'Asia/Shanghai' })
  assert.equal(verification, false)
  const { merchantId } = await authenticateSession(deps, { token, pending: false })
  const { rows } = await deps.owner.query('select p.*, m.* from merchants m join persons p using (id)')
  assert.equal(rows.length, 1)
  assert.equal(rows[0].id, merchantId)
  assert.match(rows[0].mchid, /^M\d{10}$/)
  assert.equal(rows[0].status, merchantStatus.not_opened)
  assert.equal(rows[0].time_zone, 'Asia/Shanghai')
  assert.match(rows[0].password_hash, /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$/)
  assert.ok(!JSON.stringify(rows).includes(password))
  const log = await deps.owner.query('select type, ip, device, address from audit_log order by type')
  assert.deepEqual(log.rows, [
    { type: 'login', ip: '203.0.113.7', device: 'Firefox, Linux', address: 'unknown' },
    { type: 'registered', ip: '203.0.113.7', device: 'Firefox, Linux', address: 'unknown' },
  ])
  const reported = await deps.owner.query('select types, message, status from notifications')
  assert.deepEqual(reported.rows, [
    { types: notificationType.login, message: 'account_login', status: notificationStatus.unread },
  ])
})

test('a concurrent second request creates no second account', async t => {
  const deps = await withDeps(t)
  const code = await codeFor(deps)
  const results = await Promise.allSettled([register(deps, form(code)), register(deps, form(code))])
  assert.deepEqual(results.map(result => result.status).sort(), ['fulfilled', 'rejected'])
  const refused = results.find(result => result.status === 'rejected')
  assert.equal(refused?.reason.reason, 'email_code_error')
  assert.equal((await deps.owner.query('select 1 from merchants')).rowCount, 1)
})

test('after a crash nothing has changed and the code is still valid', async t => {
  const deps = await withDeps(t)
  const code = await codeFor(deps)
  for (const point of [/insert into merchants/, /insert into sessions/, /^commit$/]) {
    await assert.rejects(register({ ...deps, pool: breakOnce(deps.pool, point) }, form(code)), /killed here/)
    assert.equal((await deps.owner.query('select 1 from merchants')).rowCount, 0)
  }
  await register(deps, form(code))
})

test('a code is valid once, for its email and purpose, for ten minutes', async t => {
  const deps = await withDeps(t)
  const code = await codeFor(deps)
  const wrong = { reason: 'email_code_error', field: 'code' }
  await assert.rejects(register(deps, { ...form(code), email: 'bob@example.com' }), wrong)
  await register(deps, form(code))
  await assert.rejects(register(deps, form(code)), wrong)

  deps.pass(60)
  await sendEmailCode(deps, { purpose: 3, email, session: null, from: visitor })
  await assert.rejects(register(deps, form(codeIn(deps.mails.at(-1)))), wrong)

  const late = await codeFor(deps, 'late@example.com')
  deps.pass(600)
  await assert.rejects(register(deps, { ...form(late), email: 'late@example.com' }), wrong)
})

test('after five wrong attempts the correct code is refused too', async t => {
  const deps = await withDeps(t)
  const code = await codeFor(deps)
  const other = code === '111111' ? '222222' : '111111'
  for (let i = 0; i < 5; i++) await assert.rejects(register(deps, form(other)), { reason: 'email_code_error' })
  await assert.rejects(register(deps, form(code)), { reason: 'email_code_error' })
  deps.pass(60)
  await register(deps, form(await codeFor(deps)))
})

test('an email with an account is reported only after its code', async t => {
  const deps = await withDeps(t)
  await testMerchant(deps, { email })
  await assert.rejects(register(deps, form('123456')), { reason: 'email_code_error' })
  await assert.rejects(register(deps, form(await codeFor(deps))), { reason: 'mailbox_exists' })
})

test('different passwords are refused before the code is checked', async t => {
  const deps = await withDeps(t)
  const code = await codeFor(deps)
  const different = { ...form(code), confirm_password: 'Another2Horse' }
  await assert.rejects(register(deps, different), { reason: 'passwords_differ', field: 'confirm_password' })
  await register(deps, form(code))
})
