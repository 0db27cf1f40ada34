import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notificationType } from '@coffer/contract'
import { breakOnce } from '../../../testing/break.ts'
import { withDeps } from '../../../testing/deps.ts'
import { changeTestMerchant, codeIn, password, testMerchant, visitor } from '../../../testing/merchants.ts'
import { sendEmailCode } from '../codes/send-code.ts'
import { authenticateSession } from '../sessions/sessions.ts'
import { login, loginByCode } from './login.ts'

const wrong = { reason: 'wrong_credentials' }

test('responds alike, after the same work, for unknown accounts and wrong passwords', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const without = await testMerchant(deps, { password_hash: null })
  const closed = await testMerchant(deps)
  await changeTestMerchant(deps.pool, closed.id, { deleted_at: 1 })
  for (const who of [email, without.email, closed.email, 'nobody@example.com']) {
    const before = deps.hashes()
    await assert.rejects(login(deps, { email: who, password: 'Wrong1Horse', from: visitor }), error => {
      assert.deepEqual(JSON.parse(JSON.stringify(error)), { ...wrong, name: 'Refusal' })
      return true
    })
    assert.equal(deps.hashes(), before + 1, `one password is hashed for ${who}`)
  }
})

test('records the origin of a sign-in and notifies the merchant', async t => {
  const deps = await withDeps(t)
  const { email, id } = await testMerchant(deps)
  await deps.owner.query('truncate audit_log, audit_heads, notifications')
  const from = {
    ...visitor,
    ip: '::ffff:10.1.2.3',
    device: 'Evil<script>\u202e Chrome/140 Windows',
    language: 'zh-CN' as const,
  }
  await login(deps, { email, password, from })
  const { rows: log } = await deps.owner.query('select merchant_id, type, ip, device, address from audit_log')
  const where = { ip: '10.1.2.3', device: 'Chrome, Windows', address: 'private' }
  assert.deepEqual(log, [{ merchant_id: id, type: 'login', ...where }])
  const { rows: reported } = await deps.owner.query('select types, params from notifications')
  assert.deepEqual(reported, [{ types: notificationType.login, params: where }])
  const { rows: stored } = await deps.owner.query('select language from persons')
  assert.deepEqual(stored, [{ language: 'zh-CN' }])
})

test('a sign-in notes the zone of the clock, of the second step too, until the person has chosen one', async t => {
  const deps = await withDeps(t)
  const { email, id } = await testMerchant(deps)
  const zone = async () =>
    (await deps.owner.query('select time_zone from persons where id = $1', [id])).rows[0]?.time_zone
  const signIn = (timeZone?: string) => login(deps, { email, password, from: { ...visitor, timeZone } })
  assert.equal(await zone(), null)
  for (const [given, expected] of [
    ['Europe/Berlin', 'Europe/Berlin'],
    [undefined, 'Europe/Berlin'],
    ['Asia/Shanghai', 'Asia/Shanghai'],
  ] as const) {
    await signIn(given)
    assert.equal(await zone(), expected)
  }
  await assert.rejects(login(deps, { email, password: 'Wrong1Horse', from: { ...visitor, timeZone: 'UTC' } }), wrong)
  assert.equal(await zone(), 'Asia/Shanghai', 'a wrong password changes nothing')
  await deps.owner.query('update persons set time_zone_chosen = true')
  await signIn('Europe/Berlin')
  assert.equal(await zone(), 'Asia/Shanghai')
})

test('a frozen account is reported only after the correct password', async t => {
  const deps = await withDeps(t)
  const { email, id } = await testMerchant(deps)
  await changeTestMerchant(deps.pool, id, { frozen: true })
  await assert.rejects(login(deps, { email, password, from: visitor }), { reason: 'account_frozen' })
  await assert.rejects(login(deps, { email, password: 'Wrong1Horse', from: visitor }), wrong)
})

test('a password that changes during its check signs nobody in', async t => {
  const deps = await withDeps(t)
  const merchant = await testMerchant(deps)
  const slow = {
    ...deps,
    passwords: {
      ...deps.passwords,
      verify: async (hash: string | null, given: string, turn: string) => {
        const fits = await deps.passwords.verify(hash, given, turn)
        await changeTestMerchant(deps.owner, merchant.id, {
          password_hash: await deps.passwords.hash('Changed1Horse', turn),
        })
        return fits
      },
    },
  }
  await assert.rejects(login(slow, { email: merchant.email, password, from: visitor }), wrong)
})

test('after a crash no session is left and the next attempt works', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const broken = { ...deps, pool: breakOnce(deps.pool, /insert into notifications/) }
  await assert.rejects(login(broken, { email, password, from: visitor }), /killed here/)
  assert.equal((await deps.owner.query('select 1 from sessions')).rowCount, 1)
  await login(deps, { email, password, from: visitor })
})

test('ten wrong passwords make work for their network and no other', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const guess = () => login(deps, { email, password: 'Wrong1Horse', from: visitor })
  for (let i = 0; i < 10; i++) await assert.rejects(guess(), wrong)
  const before = deps.hashes()
  await assert.rejects(guess(), { reason: 'work_needed' })
  assert.equal(deps.hashes(), before, 'a refused try costs no hash')
  await login(deps, { email, password, from: { ...visitor, ip: '198.51.100.1' } })
  deps.pass(900)
  await login(deps, { email, password, from: visitor })
  for (let i = 0; i < 10; i++) await assert.rejects(guess(), wrong)
})

test('an email code signs in once; an unknown email gets no mail and the same answer', async t => {
  const deps = await withDeps(t)
  const { email, id } = await testMerchant(deps)
  const ask = (to: string) => sendEmailCode(deps, { purpose: 1, email: to, session: null, from: visitor })
  for (const to of [email, 'nobody@example.com']) assert.equal((await ask(to)).challenge.length, 43)
  assert.deepEqual(
    deps.mails.map(mail => mail.to),
    [email],
  )
  const code = codeIn(deps.mails[0])
  const { token } = await loginByCode(deps, { email, code, from: visitor })
  assert.equal((await authenticateSession(deps, { token, pending: false })).merchantId, id)
  const refused = { reason: 'email_code_error' }
  await assert.rejects(loginByCode(deps, { email, code, from: visitor }), refused)
  await assert.rejects(loginByCode(deps, { email: 'nobody@example.com', code, from: visitor }), refused)
})
