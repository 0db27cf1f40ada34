import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDeps } from '../../testing/deps.ts'
import { password, testAuthenticator, testMerchant, visitor } from '../../testing/merchants.ts'
import { changeMerchant } from '../merchants/store.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { useSession } from './use-session.ts'

const expired = { reason: 'login_expired' }

test('a token identifies its merchant and is stored only as a hash', async t => {
  const deps = await withDeps(t)
  const merchant = await testMerchant(deps)
  const session = await useSession(deps, { token: merchant.token, pending: false })
  assert.equal(session.merchantId, merchant.id)
  assert.equal(Buffer.from(merchant.token, 'base64url').length, 32)
  const { rows } = await deps.owner.query('select s::text as row from sessions s')
  assert.equal(rows.length, 1)
  assert.ok(!rows[0].row.includes(merchant.token))
  await assert.rejects(useSession(deps, { token: `${merchant.token}x`, pending: false }), expired)
})

test('a session expires after 30 idle minutes, or after 12 hours of use', async t => {
  const deps = await withDeps(t)
  const { token } = await testMerchant(deps)
  deps.pass(1_799)
  await useSession(deps, { token, pending: false })
  for (let minutes = 0; minutes < 11 * 60; minutes += 20) {
    deps.pass(1_200)
    await useSession(deps, { token, pending: false })
  }
  deps.pass(1_799)
  await useSession(deps, { token, pending: false })
  deps.pass(1_800)
  await assert.rejects(useSession(deps, { token, pending: false }), expired)

  const other = await testMerchant(deps)
  for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
    deps.pass(1_200)
    await useSession(deps, { token: other.token, pending: false })
  }
  deps.pass(1_199)
  await useSession(deps, { token: other.token, pending: false })
  deps.pass(1)
  await assert.rejects(useSession(deps, { token: other.token, pending: false }), expired)
})

test('the time of last use is updated at most every 30 seconds', async t => {
  const deps = await withDeps(t)
  const { token } = await testMerchant(deps)
  const seen = async () =>
    (await deps.owner.query('select last_seen - created_at as after from sessions')).rows[0].after
  deps.pass(29)
  await useSession(deps, { token, pending: false })
  assert.equal(await seen(), 0)
  deps.pass(1)
  await useSession(deps, { token, pending: false })
  assert.equal(await seen(), 30)
})

test('a pending token is only valid for the verification, for ten minutes', async t => {
  const deps = await withDeps(t)
  const merchant = await testMerchant(deps)
  await testAuthenticator(deps, merchant.id)
  const { token, verification } = await login(deps, { email: merchant.email, password, from: visitor })
  assert.equal(verification, true)
  await assert.rejects(useSession(deps, { token, pending: false }), expired)
  await assert.rejects(useSession(deps, { token: merchant.token, pending: true }), expired)
  assert.equal((await useSession(deps, { token, pending: true })).merchantId, merchant.id)
  deps.pass(600)
  await assert.rejects(useSession(deps, { token, pending: true }), expired)
})

test('freezing or closing an account invalidates its sessions at the next call', async t => {
  const deps = await withDeps(t)
  const frozen = await testMerchant(deps)
  const closed = await testMerchant(deps)
  await changeMerchant(deps.pool, frozen.id, { frozen: true })
  await changeMerchant(deps.pool, closed.id, { deleted_at: deps.clock() })
  await assert.rejects(useSession(deps, { token: frozen.token, pending: false }), expired)
  await assert.rejects(useSession(deps, { token: closed.token, pending: false }), expired)
})

test('a logout ends only its own session, and a second one has no effect', async t => {
  const deps = await withDeps(t)
  const merchant = await testMerchant(deps)
  const { token } = await login(deps, { email: merchant.email, password, from: visitor })
  const session = await useSession(deps, { token, pending: false })
  await Promise.all([logout(deps, { session, from: visitor }), logout(deps, { session, from: visitor })])
  await assert.rejects(useSession(deps, { token, pending: false }), expired)
  await useSession(deps, { token: merchant.token, pending: false })
  const { rows } = await deps.owner.query(`select 1 from account_log where type = 'logout'`)
  assert.equal(rows.length, 1)
})
