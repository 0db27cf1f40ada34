import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { breakOnce } from '../../../testing/break.ts'
import { type TestDeps, withDeps } from '../../../testing/deps.ts'
import {
  codeIn,
  ownerOf,
  password,
  testAuthenticator,
  testMerchant,
  visitor,
  wrongCode,
} from '../../../testing/merchants.ts'
import { merchantById } from '../../merchants/store.ts'
import { sendEmailCode, sendPhoneCode } from '../codes/send-code.ts'
import type { Proof } from '../proofs/check-proof.ts'
import { authenticateSession } from '../sessions/sessions.ts'
import { login, verifyLogin } from '../sign-in/login.ts'
import { bindAuthenticator, offerAuthenticator } from './authenticator.ts'
import { bindPhone } from './bind-phone.ts'
import { changeEmail } from './change-email.ts'
import { changePassword, resetPassword } from './password.ts'

const from = visitor
const next = 'Another2Horse'
const expired = { reason: 'login_expired' }

async function mailed(
  deps: TestDeps,
  merchantId: string,
  purpose: number,
  email?: string,
): Promise<Extract<Proof, { code: string }>> {
  await sendEmailCode(deps, { purpose, email, session: ownerOf(merchantId), from })
  return { method: 'email', code: codeIn(deps.mails.at(-1)) }
}
const secondSession = async (deps: TestDeps, email: string) => (await login(deps, { email, password, from })).token

test('a changed password ends all other sessions and sends a mail', async t => {
  const deps = await withDeps(t)
  const { id, email, token, session } = await testMerchant(deps)
  const other = await secondSession(deps, email)
  const change = { session, old_password: password, password: next, confirm_password: next, from }
  await assert.rejects(changePassword(deps, change), { reason: 'proof_needed' })
  const { token: fresh } = await changePassword(deps, { ...change, proof: await mailed(deps, id, 7) })
  await authenticateSession(deps, { token: fresh, pending: false })
  await assert.rejects(authenticateSession(deps, { token, pending: false }), expired)
  await assert.rejects(authenticateSession(deps, { token: other, pending: false }), expired)
  await assert.rejects(login(deps, { email, password, from }), { reason: 'wrong_credentials' })
  await login(deps, { email, password: next, from })
  await deps.delivered()
  assert.deepEqual(deps.mails.at(-1)?.to, email)
  assert.match(deps.mails.at(-1)?.subject ?? '', /password was changed/)
})

test('the old password must match and differ from the new one', async t => {
  const deps = await withDeps(t)
  const { id, session } = await testMerchant(deps)
  const proof = await mailed(deps, id, 7)
  const change = { session, old_password: password, password: next, confirm_password: next, proof, from }
  const refusedAs = (reason: string, more: object) =>
    assert.rejects(changePassword(deps, { ...change, ...more }), { reason })
  await refusedAs('passwords_differ', { confirm_password: password })
  await refusedAs('password_error', { old_password: undefined })
  await refusedAs('different_password', { old_password: next })
  await refusedAs('same_password', { password, confirm_password: password })
  const clicks = await Promise.allSettled([changePassword(deps, change), changePassword(deps, change)])
  assert.equal(clicks.filter(click => click.status === 'fulfilled').length, 1)
})

test('an account without a password sets its first one with a code', async t => {
  const deps = await withDeps(t)
  const { id, email, session } = await testMerchant(deps, { password_hash: null })
  const proof = await mailed(deps, id, 7)
  await changePassword(deps, { session, password: next, confirm_password: next, proof, from })
  await login(deps, { email, password: next, from })
})

test('a password is reset by a code, once, and ends all sessions; the authenticator stays required', async t => {
  const deps = await withDeps(t)
  const { id, email, token } = await testMerchant(deps)
  await testAuthenticator(deps, id)
  const ask = (to: string) => sendEmailCode(deps, { purpose: 3, email: to, session: null, from })
  await ask(email)
  const code = codeIn(deps.mails.at(-1))
  const choose = { email, code, password: next, confirm_password: next, from }
  const broken = { ...deps, pool: breakOnce(deps.pool, /delete from sessions/) }
  await assert.rejects(resetPassword(broken, choose), /killed here/)
  await authenticateSession(deps, { token, pending: false })
  await resetPassword(deps, choose)
  await assert.rejects(authenticateSession(deps, { token, pending: false }), expired)
  assert.equal((await login(deps, { email, password: next, from })).verification, true)
  await assert.rejects(resetPassword(deps, choose), { reason: 'email_code_error' })
  await ask('nobody@example.com')
  const nobody = resetPassword(deps, { ...choose, email: 'nobody@example.com' })
  await assert.rejects(nobody, { reason: 'email_code_error' })
})

test('a reset refuses the current password; the code stays valid', async t => {
  const deps = await withDeps(t)
  const { email, token } = await testMerchant(deps)
  await sendEmailCode(deps, { purpose: 3, email, session: null, from })
  const choose = { email, code: codeIn(deps.mails.at(-1)), from }
  const same = resetPassword(deps, { ...choose, password, confirm_password: password })
  await assert.rejects(same, { reason: 'same_password', field: 'password' })
  await authenticateSession(deps, { token, pending: false })
  await resetPassword(deps, { ...choose, password: next, confirm_password: next })
  await login(deps, { email, password: next, from })
})

test('binding an authenticator needs its code and an email code, seals the secret and holds withdrawals', async t => {
  const deps = await withDeps(t)
  const { id, email, session, token } = await testMerchant(deps)
  const other = await secondSession(deps, email)
  const { secret, uri, bound, offer } = await offerAuthenticator(deps, { personId: id, merchantId: id })
  assert.equal(bound, false)
  assert.match(uri, /^otpauth:\/\/totp\/Coffer:/)
  const code = (later = 0) => generateSync({ secret, epoch: deps.clock() + later })
  await assert.rejects(bindAuthenticator(deps, { session, offer, code: code(), from }), { reason: 'proof_needed' })
  const proof = await mailed(deps, id, 5)
  const wrong = wrongCode(code)
  await assert.rejects(bindAuthenticator(deps, { session, offer, code: wrong, proof, from }), {
    reason: 'google_code_error',
  })
  const clicks = await Promise.allSettled([
    bindAuthenticator(deps, { session, offer, code: code(), proof, from }),
    bindAuthenticator(deps, { session, offer, code: code(), proof, from }),
  ])
  assert.equal(clicks.filter(click => click.status === 'fulfilled').length, 1)
  const merchant = (await merchantById(deps.pool, id))!
  assert.equal(merchant.factor_changed_at, deps.clock())
  assert.ok(!JSON.stringify(merchant).includes(secret))
  await assert.rejects(authenticateSession(deps, { token, pending: false }), expired)
  await assert.rejects(authenticateSession(deps, { token: other, pending: false }), expired)
  assert.equal((await login(deps, { email, password, from })).verification, true)
})

test('replacing the authenticator needs a code of the previous one', async t => {
  const deps = await withDeps(t)
  const { id, session } = await testMerchant(deps)
  const old = await testAuthenticator(deps, id)
  const { secret, bound, offer } = await offerAuthenticator(deps, { personId: id, merchantId: id })
  assert.equal(bound, true)
  const code = generateSync({ secret, epoch: deps.clock() })
  const byMail = await mailed(deps, id, 5)
  await assert.rejects(bindAuthenticator(deps, { session, offer, code, proof: byMail, from }), {
    reason: 'proof_needed',
  })
  await bindAuthenticator(deps, { session, offer, code, proof: { method: 'google', code: old.code() }, from })
})

test('binding the first authenticator makes recovery codes if wanted, and ends the choice of weaker codes', async t => {
  const deps = await withDeps(t)
  const { id, session, email } = await testMerchant(deps, {
    phone: '5551000',
    area_code: '1',
    phone_verified: true,
    security_switch: { withdrawal: 'phone', money: 'passkey' },
  })
  const { secret, offer } = await offerAuthenticator(deps, { personId: id, merchantId: id })
  const code = generateSync({ secret, epoch: deps.clock() })
  const proof = await mailed(deps, id, 5)
  const { recovery_codes } = await bindAuthenticator(deps, { session, offer, code, recovery_codes: true, proof, from })
  assert.equal(recovery_codes?.length, 10)
  assert.deepEqual((await merchantById(deps.pool, id))?.security_switch, { money: 'passkey' })
  const { token, verification } = await login(deps, { email, password, from })
  assert.equal(verification, true)
  const pending = await authenticateSession(deps, { token, pending: true })
  await verifyLogin(deps, { session: pending, recovery_code: recovery_codes![0]!, from })
})

test('only an offered authenticator can be bound', async t => {
  const deps = await withDeps(t)
  const { id, session } = await testMerchant(deps)
  const proof = await mailed(deps, id, 5)
  await assert.rejects(bindAuthenticator(deps, { session, offer: 'none', code: '123456', proof, from }), {
    reason: 'not_bound',
  })
})

test('changing the email needs a code from each email and notifies the old one', async t => {
  const deps = await withDeps(t)
  const { id, email, session } = await testMerchant(deps)
  const other = await secondSession(deps, email)
  const fresh = 'fresh@example.com'
  const { code } = await mailed(deps, id, 9, fresh)
  const change = { session, email: fresh, code, from }
  await assert.rejects(changeEmail(deps, change), { reason: 'proof_needed' })
  const proof = await mailed(deps, id, 6)
  await assert.rejects(changeEmail(deps, { ...change, email: 'third@example.com', proof }), {
    reason: 'email_code_error',
  })
  const broken = { ...deps, pool: breakOnce(deps.pool, /audit_append/) }
  await assert.rejects(changeEmail(broken, { ...change, proof }), /killed here/)
  await changeEmail(deps, { ...change, proof })
  await deps.delivered()
  assert.deepEqual(
    deps.mails
      .slice(-2)
      .map(mail => mail.to)
      .sort(),
    [email, fresh].sort(),
  )
  assert.equal((await merchantById(deps.pool, id))?.factor_changed_at, deps.clock())
  await assert.rejects(authenticateSession(deps, { token: other, pending: false }), expired)
  await assert.rejects(login(deps, { email, password, from }), { reason: 'wrong_credentials' })
  await login(deps, { email: fresh, password, from })
})

test('the email of another merchant is refused, also concurrently', async t => {
  const deps = await withDeps(t)
  const first = await testMerchant(deps)
  const second = await testMerchant(deps)
  const move = async (who: typeof first, email: string) => {
    const { code } = await mailed(deps, who.id, 9, email)
    const proof = await mailed(deps, who.id, 6)
    return () => changeEmail(deps, { session: who.session, email, code, proof, from })
  }
  await assert.rejects((await move(first, second.email))(), { reason: 'mailbox_exists' })
  deps.pass(60)
  // A code belongs to the merchant who requested it: the later one does not replace the first.
  const one = await move(first, 'new@example.com')
  deps.pass(60)
  const two = await move(second, 'new@example.com')
  const results = await Promise.allSettled([one(), two()])
  assert.deepEqual(results.map(result => result.status).sort(), ['fulfilled', 'rejected'])
})

test('a phone is bound by its code and a proof, and only to one merchant', async t => {
  const deps = await withDeps(t)
  const first = await testMerchant(deps)
  const second = await testMerchant(deps)
  const number = { phone: '5551234567', area_code: '+1' }
  const ask = async (who: typeof first, purpose: number) => {
    await sendPhoneCode(deps, { purpose, ...number, session: ownerOf(who.id), from })
    return codeIn(deps.texts.at(-1))
  }
  const bind = async (who: typeof first, code: string, proof?: Proof) =>
    bindPhone(deps, { session: who.session, ...number, code, proof, from })
  const code = await ask(first, 1)
  await assert.rejects(bind(first, code), { reason: 'proof_needed' })
  await assert.rejects(bind(second, code, await mailed(deps, second.id, 10)), { reason: 'sms_code_error' })
  const empty = { session: first.session, phone: '', area_code: '', code, from }
  await assert.rejects(bindPhone(deps, empty), { reason: 'phone_and_area_code' })
  await bind(first, code, await mailed(deps, first.id, 10))
  const merchant = (await merchantById(deps.pool, first.id))!
  assert.deepEqual([merchant.phone, merchant.area_code, merchant.phone_verified], ['5551234567', '1', true])
  assert.equal(merchant.factor_changed_at, deps.clock())
  deps.pass(60)
  const proof = await mailed(deps, second.id, 10)
  await assert.rejects(bind(second, await ask(second, 2), proof), { reason: 'phone_exists_or_not' })
})

test('an offered authenticator is bound by its merchant only, within 15 minutes', async t => {
  const deps = await withDeps(t)
  const owner = await testMerchant(deps)
  const stranger = await testMerchant(deps)
  const { secret, offer } = await offerAuthenticator(deps, { personId: owner.id, merchantId: owner.id })
  const bind = async ({ id, session }: typeof owner) =>
    bindAuthenticator(deps, {
      session,
      offer,
      code: generateSync({ secret, epoch: deps.clock() }),
      proof: await mailed(deps, id, 5),
      from,
    })
  await assert.rejects(bind(stranger), { reason: 'not_bound' })
  deps.pass(900)
  await assert.rejects(bind(owner), { reason: 'not_bound' })
})
