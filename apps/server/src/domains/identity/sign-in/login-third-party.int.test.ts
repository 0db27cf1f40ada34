import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignInIdentity, ThirdPartySignIn } from '../../../outside/third-party-sign-in.ts'
import { breakOnce } from '../../../testing/break.ts'
import { withDeps } from '../../../testing/deps.ts'
import { password, testAuthenticator, testMerchant, visitor } from '../../../testing/merchants.ts'
import { changeMerchant, merchantByEmail, merchantById } from '../../merchants/store.ts'
import { authenticateSession } from '../sessions/sessions.ts'
import { findPersonByIdentity, linkIdentity } from '../store.ts'
import { login } from './login.ts'
import { loginThirdParty } from './login-third-party.ts'

const from = { ...visitor, deviceToken: 'own' }
const ann: SignInIdentity = {
  provider: 'google',
  subject: 'sub-ann',
  email: 'Ann@Example.com',
  emailVerified: true,
  name: 'Ann',
}

/** A provider that exchanges a code for a given identity and refuses the code `bad`. */
const provider = (identity: () => SignInIdentity): ThirdPartySignIn => ({
  clientId: 'client',
  scriptUrl: '/script.js',
  label: 'Test',
  begin: () => ({ state: 'state', nonce: 'nonce', code_challenge: 'challenge' }),
  exchange: async code => {
    if (code === 'bad') throw new Error('refused')
    return identity()
  },
})
async function setting(t: Parameters<typeof withDeps>[0]) {
  let identity = ann
  const deps = await withDeps(t, { signIn: provider(() => identity) })
  const signIn = (as: SignInIdentity = ann) => {
    identity = as
    return loginThirdParty(deps, { code: 'code', state: 'state', from })
  }
  return { deps, signIn }
}

test('the first sign-in creates an account; later ones find it by the subject alone', async t => {
  const { deps, signIn } = await setting(t)
  const { token, verification } = await signIn()
  assert.equal(verification, false)
  const { merchantId } = await authenticateSession(deps, { token, pending: false })
  const merchant = (await merchantById(deps.pool, merchantId))!
  assert.deepEqual(
    [merchant.email, merchant.name, merchant.status, merchant.password_hash],
    ['ann@example.com', 'Ann', 0, null],
  )
  const moved = await signIn({ ...ann, email: 'moved@example.com' })
  assert.equal((await authenticateSession(deps, { token: moved.token, pending: false })).merchantId, merchantId)
  assert.equal((await deps.owner.query('select 1 from merchants')).rowCount, 1)
})

test('the name of a provider is reduced to what a merchant could enter', async t => {
  const { deps, signIn } = await setting(t)
  let subjects = 0
  const nameOf = async (name: string) => {
    const subject = `sub-${++subjects}`
    const { token } = await signIn({ ...ann, subject, email: `${subject}@example.com`, name })
    const { merchantId } = await authenticateSession(deps, { token, pending: false })
    return (await merchantById(deps.pool, merchantId))?.name
  }
  assert.equal(await nameOf(' A\u0000nn \u202egnp\u061c '), 'Ann gnp')
  assert.equal(await nameOf('\ud83d'), '')
  assert.equal(await nameOf(`${'x'.repeat(63)}👛`), 'x'.repeat(63))
  assert.equal(await nameOf('名称 👛'), '名称 👛')
})

test('concurrent first sign-ins create one account', async t => {
  const { deps, signIn } = await setting(t)
  await Promise.all([signIn(), signIn(), signIn()])
  assert.equal((await deps.owner.query('select 1 from merchants')).rowCount, 1)
  assert.equal((await deps.owner.query('select 1 from sessions')).rowCount, 3)
})

test('an account with the same email is linked only when the provider verified it', async t => {
  const { deps, signIn } = await setting(t)
  const { id } = await testMerchant(deps, { email: 'ann@example.com' })
  await assert.rejects(signIn({ ...ann, emailVerified: false }), { reason: 'sign_in_failed' })
  assert.equal(await findPersonByIdentity(deps.pool, ann.provider, ann.subject), undefined)
  const { token } = await signIn()
  assert.equal((await authenticateSession(deps, { token, pending: false })).merchantId, id)
  await login(deps, { email: 'ann@example.com', password, from })
  const reported = await deps.owner.query(`select 1 from notifications where message = 'account_sign_in_linked'`)
  assert.equal(reported.rowCount, 1)
  await signIn()
  await deps.delivered()
  assert.deepEqual(
    deps.mails.map(({ to, subject }) => [to, subject]),
    [['ann@example.com', 'A third-party sign-in was linked to your account']],
  )
  await assert.rejects(signIn({ ...ann, subject: 'another' }), { reason: 'sign_in_failed' })
})

test('an unverified or invalid email creates no account', async t => {
  const { deps, signIn } = await setting(t)
  for (const wrong of [{ emailVerified: false }, { email: '' }, { email: 'a@b' }, { email: 'ann@example.com\u0000' }])
    await assert.rejects(signIn({ ...ann, ...wrong }), { reason: 'sign_in_failed' })
  assert.equal((await deps.owner.query('select 1 from merchants')).rowCount, 0)
})

test('requires the authenticator and refuses a frozen account', async t => {
  const { deps, signIn } = await setting(t)
  const { id } = await testMerchant(deps)
  assert.ok(await linkIdentity(deps.owner, ann.provider, ann.subject, id, deps.clock()))
  await testAuthenticator(deps, id)
  const { token, verification } = await signIn()
  assert.equal(verification, true)
  await assert.rejects(authenticateSession(deps, { token, pending: false }), { reason: 'login_expired' })
  await changeMerchant(deps.pool, id, { frozen: true })
  await assert.rejects(signIn(), { reason: 'account_frozen' })
})

test('a refused code, a missing provider and a crash leave nothing behind', async t => {
  const { deps, signIn } = await setting(t)
  await assert.rejects(loginThirdParty(deps, { code: 'bad', state: 'state', from }), { reason: 'sign_in_failed' })
  const without = { ...deps, signIn: null }
  await assert.rejects(loginThirdParty(without, { code: 'code', state: 'state', from }), { reason: 'sign_in_failed' })
  const broken = { ...deps, pool: breakOnce(deps.pool, /insert into sessions/) }
  await assert.rejects(loginThirdParty(broken, { code: 'code', state: 'state', from }), /killed here/)
  assert.equal(await merchantByEmail(deps.pool, 'ann@example.com'), undefined)
  await signIn()
})
