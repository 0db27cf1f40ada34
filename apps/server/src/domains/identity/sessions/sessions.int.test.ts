import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDeps } from '../../../testing/deps.ts'
import { password, testAuthenticator, testMerchant, visitor } from '../../../testing/merchants.ts'
import { changeMerchant } from '../../merchants/store.ts'
import { login } from '../sign-in/login.ts'
import { authenticateSession, endOneSession, listSessions, logout } from './sessions.ts'

const expired = { reason: 'login_expired' }

test('a token authenticates its merchant and is stored only as a hash', async t => {
  const deps = await withDeps(t)
  const merchant = await testMerchant(deps)
  const session = await authenticateSession(deps, { token: merchant.token, pending: false })
  assert.equal(session.merchantId, merchant.id)
  assert.equal(Buffer.from(merchant.token, 'base64url').length, 32)
  const { rows } = await deps.owner.query('select s::text as row from sessions s')
  assert.equal(rows.length, 1)
  assert.ok(!rows[0].row.includes(merchant.token))
  await assert.rejects(authenticateSession(deps, { token: `${merchant.token}x`, pending: false }), expired)
})

test('a session ends after 30 idle minutes, and after 12 hours in any case', async t => {
  const deps = await withDeps(t)
  const { token } = await testMerchant(deps)
  deps.pass(1_799)
  await authenticateSession(deps, { token, pending: false })
  for (let minutes = 0; minutes < 11 * 60; minutes += 20) {
    deps.pass(1_200)
    await authenticateSession(deps, { token, pending: false })
  }
  deps.pass(1_799)
  await authenticateSession(deps, { token, pending: false })
  deps.pass(1_800)
  await assert.rejects(authenticateSession(deps, { token, pending: false }), expired)

  const other = await testMerchant(deps)
  for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
    deps.pass(1_200)
    await authenticateSession(deps, { token: other.token, pending: false })
  }
  deps.pass(1_199)
  await authenticateSession(deps, { token: other.token, pending: false })
  deps.pass(1)
  await assert.rejects(authenticateSession(deps, { token: other.token, pending: false }), expired)
})

test('the last use is written at most every 30 seconds', async t => {
  const deps = await withDeps(t)
  const { token } = await testMerchant(deps)
  const seen = async () =>
    (await deps.owner.query('select last_seen - created_at as after from sessions')).rows[0].after
  deps.pass(29)
  await authenticateSession(deps, { token, pending: false })
  assert.equal(await seen(), 0)
  deps.pass(1)
  await authenticateSession(deps, { token, pending: false })
  assert.equal(await seen(), 30)
})

test('a pending token is only good for the verification, for ten minutes', async t => {
  const deps = await withDeps(t)
  const merchant = await testMerchant(deps)
  await testAuthenticator(deps, merchant.id)
  const { token, verification } = await login(deps, { email: merchant.email, password, from: visitor })
  assert.equal(verification, true)
  await assert.rejects(authenticateSession(deps, { token, pending: false }), expired)
  await assert.rejects(authenticateSession(deps, { token: merchant.token, pending: true }), expired)
  assert.equal((await authenticateSession(deps, { token, pending: true })).merchantId, merchant.id)
  deps.pass(600)
  await assert.rejects(authenticateSession(deps, { token, pending: true }), expired)
})

test('freezing or closing an account stops its sessions immediately', async t => {
  const deps = await withDeps(t)
  const frozen = await testMerchant(deps)
  const closed = await testMerchant(deps)
  await changeMerchant(deps.pool, frozen.id, { frozen: true })
  await changeMerchant(deps.pool, closed.id, { deleted_at: deps.clock() })
  await assert.rejects(authenticateSession(deps, { token: frozen.token, pending: false }), { reason: 'session_frozen' })
  await assert.rejects(authenticateSession(deps, { token: closed.token, pending: false }), expired)
})

test('a sign-out ends only this session; a repeated one does nothing', async t => {
  const deps = await withDeps(t)
  const merchant = await testMerchant(deps)
  const { token } = await login(deps, { email: merchant.email, password, from: visitor })
  const session = await authenticateSession(deps, { token, pending: false })
  await Promise.all([logout(deps, session, visitor), logout(deps, session, visitor)])
  await assert.rejects(authenticateSession(deps, { token, pending: false }), expired)
  await authenticateSession(deps, { token: merchant.token, pending: false })
  const { rows } = await deps.owner.query(`select 1 from audit_log where type = 'logout'`)
  assert.equal(rows.length, 1)
})

test('a merchant ends one session of the list, and none of another merchant', async t => {
  const deps = await withDeps(t)
  const merchant = await testMerchant(deps)
  const stranger = await testMerchant(deps)
  const { token } = await login(deps, { email: merchant.email, password, from: visitor })
  const [other] = (await listSessions(deps, merchant.session)).filter(({ current }) => !current)
  await endOneSession(deps, stranger.session, other!.id, visitor)
  await authenticateSession(deps, { token, pending: false })
  await Promise.all([1, 2].map(() => endOneSession(deps, merchant.session, other!.id, visitor)))
  await assert.rejects(authenticateSession(deps, { token, pending: false }), expired)
  await authenticateSession(deps, { token: merchant.token, pending: false })
  const { rows } = await deps.owner.query(`select merchant_id from audit_log where type = 'session_ended'`)
  assert.deepEqual(rows, [{ merchant_id: merchant.id }])
})
