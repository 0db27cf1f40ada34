import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakOnce } from '../../../testing/break.ts'
import { type TestDeps, withDeps } from '../../../testing/deps.ts'
import { password, testAuthenticator, testMerchant, visitor } from '../../../testing/merchants.ts'
import { freezeMerchant } from '../../onboarding/freeze-merchant.ts'
import { authenticateSession } from '../sessions/sessions.ts'
import { login, verifyLogin } from './login.ts'

async function pendingSignIn(deps: TestDeps) {
  const merchant = await testMerchant(deps)
  const authenticator = await testAuthenticator(deps, merchant.id)
  const again = async () => {
    const { token } = await login(deps, { email: merchant.email, password, from: visitor })
    return { token, session: await authenticateSession(deps, { token, pending: true }) }
  }
  return { merchant, authenticator, again, ...(await again()) }
}
const wrong = { reason: 'google_code_error' }

test('the code returns a new token and ends the pending session', async t => {
  const deps = await withDeps(t)
  const { authenticator, token, session, merchant } = await pendingSignIn(deps)
  const verified = await verifyLogin(deps, { session, code: authenticator.code(), from: visitor })
  assert.notEqual(verified.token, token)
  assert.equal((await authenticateSession(deps, { token: verified.token, pending: false })).merchantId, merchant.id)
  for (const pending of [true, false])
    await assert.rejects(authenticateSession(deps, { token, pending }), { reason: 'login_expired' })
})

test('a code is valid once, also across sign-ins', async t => {
  const deps = await withDeps(t)
  const { authenticator, session, again } = await pendingSignIn(deps)
  const other = await again()
  const code = authenticator.code()
  const results = await Promise.allSettled([
    verifyLogin(deps, { session, code, from: visitor }),
    verifyLogin(deps, { session, code, from: visitor }),
    verifyLogin(deps, { session: other.session, code, from: visitor }),
  ])
  assert.equal(results.filter(result => result.status === 'fulfilled').length, 1)
  await assert.rejects(verifyLogin(deps, { session: (await again()).session, code, from: visitor }), wrong)
  deps.pass(30)
  await verifyLogin(deps, { session: (await again()).session, code: authenticator.code(), from: visitor })
})

test('a code of the previous step is valid, an older one is not', async t => {
  const deps = await withDeps(t)
  const { authenticator, session, again } = await pendingSignIn(deps)
  const first = authenticator.code()
  deps.pass(60)
  await assert.rejects(verifyLogin(deps, { session, code: first, from: visitor }), wrong)
  const second = authenticator.code()
  deps.pass(30)
  await verifyLogin(deps, { session: (await again()).session, code: second, from: visitor })
})

test('five wrong codes revoke the pending session', async t => {
  const deps = await withDeps(t)
  const { authenticator, session, token } = await pendingSignIn(deps)
  for (let i = 0; i < 5; i++)
    await assert.rejects(verifyLogin(deps, { session, code: authenticator.wrong(), from: visitor }), wrong)
  await assert.rejects(authenticateSession(deps, { token, pending: true }), { reason: 'login_expired' })
  const late = verifyLogin(deps, { session, code: authenticator.code(), from: visitor })
  await assert.rejects(late, { reason: 'login_expired' })
})

test('concurrent attempts share five tries', async t => {
  const deps = await withDeps(t)
  const { authenticator, session } = await pendingSignIn(deps)
  const code = authenticator.wrong()
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => verifyLogin(deps, { session, code, from: visitor })),
  )
  const reasons = results.map(result => (result.status === 'rejected' ? result.reason.reason : 'opened'))
  assert.equal(reasons.filter(reason => reason === 'google_code_error').length, 5)
  assert.equal(reasons.filter(reason => reason === 'login_expired').length, 15)
})

test('signing in again grants no further attempts', async t => {
  const deps = await withDeps(t)
  const { authenticator, again } = await pendingSignIn(deps)
  const code = authenticator.wrong()
  for (let i = 0; i < 10; i++)
    await assert.rejects(verifyLogin(deps, { session: (await again()).session, code, from: visitor }), wrong)
  const { session } = await again()
  const right = verifyLogin(deps, { session, code: authenticator.code(), from: visitor })
  await assert.rejects(right, { reason: 'frequent_operation' })
})

test('at most fifty wrong codes a day are accepted', async t => {
  const deps = await withDeps(t)
  const { authenticator, again } = await pendingSignIn(deps)
  const guess = async () => verifyLogin(deps, { ...(await again()), code: authenticator.wrong(), from: visitor })
  for (let quarter = 0; quarter < 5; quarter++) {
    for (let i = 0; i < 10; i++) await assert.rejects(guess(), wrong)
    deps.pass(900)
  }
  await assert.rejects(guess(), { reason: 'frequent_operation' })
  deps.pass(86_400 - 5 * 900)
  await assert.rejects(guess(), wrong)
  await verifyLogin(deps, { ...(await again()), code: authenticator.code(), from: visitor })
})

test('a freeze between the two steps prevents the sign-in', async t => {
  const deps = await withDeps(t)
  const { authenticator, session, merchant } = await pendingSignIn(deps)
  await freezeMerchant(deps, { merchantId: merchant.id })
  const result = verifyLogin(deps, { session, code: authenticator.code(), from: visitor })
  await assert.rejects(result, { reason: 'account_frozen' })
  assert.equal(
    (await deps.owner.query('select 1 from sessions where not pending')).rowCount,
    1,
    'the one of `testMerchant`',
  )
})

test('after a crash the code and the pending session are still valid', async t => {
  const deps = await withDeps(t)
  const { authenticator, session } = await pendingSignIn(deps)
  const broken = { ...deps, pool: breakOnce(deps.pool, /insert into sessions/) }
  const code = authenticator.code()
  await assert.rejects(verifyLogin(broken, { session, code, from: visitor }), /killed here/)
  await verifyLogin(deps, { session, code, from: visitor })
})
