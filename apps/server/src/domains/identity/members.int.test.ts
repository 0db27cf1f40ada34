import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { tx } from '../../kit/db.ts'
import type { MemberOfShop } from '../../kit/member.ts'
import { withDeps } from '../../testing/deps.ts'
import { setTestRole } from '../../testing/members.ts'
import { codeIn, visitor as from, password, type TestMerchant, testMerchant } from '../../testing/merchants.ts'
import { checkAudit } from '../audit/check-audit.ts'
import { merchantById } from '../merchants/store.ts'
import { createNotMeLink } from '../notifications/mail-links.ts'
import { reportUnauthorizedUseByLink } from './alarms/not-me.ts'
import { sendEmailCode } from './codes/send-code.ts'
import { changeEmail } from './factors/change-email.ts'
import { changePassword, resetPassword } from './factors/password.ts'
import { checkProof } from './proofs/check-proof.ts'
import { authenticateSession } from './sessions/sessions.ts'
import { login } from './sign-in/login.ts'

const own = await withDeps({ after })
const deps = { ...own, config: { ...own.config, withdrawHoldHours: 24 } }

/** Makes a person with a shop of their own a member of another one. */
async function hire(role: MerchantRole): Promise<{ shop: TestMerchant; person: TestMerchant }> {
  const [shop, person] = await Promise.all([testMerchant(deps), testMerchant(deps)])
  deps.pass(10)
  await setRole({ shop, person }, role)
  return { shop, person }
}
const setRole = ({ shop, person }: Record<'shop' | 'person', TestMerchant>, role: MerchantRole) =>
  setTestRole(own.owner, { personId: person.id, merchantId: shop.id, role, now: deps.clock() })

/** Signs in for the shop that was used last. */
async function signIn({ email }: TestMerchant, given = password) {
  const { token } = await login(deps, { email, password: given, from })
  return { token, session: await authenticateSession(deps, { token, pending: false }) }
}

/** Makes the next sign-in of a person open a shop. */
async function use(merchantId: string, personId: string): Promise<void> {
  deps.pass(1)
  const values = [merchantId, personId, deps.clock()]
  await own.owner.query('update members set used_at = $3 where merchant_id = $1 and person_id = $2', values)
}

async function mailed(session: MemberOfShop, purpose: number, email?: string) {
  deps.pass(61)
  await sendEmailCode(deps, { purpose, email, session, from })
  const { to } = deps.mails.at(-1)!
  return { to, code: codeIn(deps.mails.at(-1)) }
}
const proofOf = async (session: MemberOfShop, purpose: number) =>
  ({ method: 'email', code: (await mailed(session, purpose)).code }) as const

const entries = async (chain: string) =>
  (
    await own.owner.query('select type, person_id from audit_log where merchant_id = $1 order by seq', [chain])
  ).rows.map(({ type, person_id }) => ({ type, person_id }))

test('a sign-in opens the shop that was used last, and none that is frozen, closed or left', async () => {
  const { shop, person } = await hire('finance')
  const opened = async () => (await signIn(person)).session.merchantId
  assert.equal(await opened(), person.id, 'never used for the other one')
  await use(shop.id, person.id)
  assert.equal(await opened(), shop.id)
  assert.equal(await opened(), shop.id)
  await own.owner.query('update merchants set frozen = true where id = $1', [shop.id])
  assert.equal(await opened(), person.id)
  await own.owner.query('update merchants set frozen = false where id = $1', [shop.id])
  await use(shop.id, person.id)
  const { token, session } = await signIn(person)
  assert.deepEqual([session.merchantId, session.personId, session.role], [shop.id, person.id, 'finance'])
  await own.owner.query('update members set removed_at = 1 where merchant_id = $1 and person_id = $2', [
    shop.id,
    person.id,
  ])
  await assert.rejects(authenticateSession(deps, { token, pending: false }), { reason: 'login_expired' })
  assert.equal(await opened(), person.id)
})

test('a member confirms with what the member has, as what the request was admitted', async () => {
  const { shop, person } = await hire('finance')
  await use(shop.id, person.id)
  const { session } = await signIn(person)
  const { withdrawal } = emailCodePurpose
  const ofOwner = await proofOf(shop.session, withdrawal)
  await assert.rejects(checkProof(deps, { by: session, proof: ofOwner, action: 'withdrawal' }), {
    reason: 'email_code_error',
  })
  const { to, code } = await mailed(session, withdrawal)
  assert.equal(to, person.email)
  const proof = { method: 'email', code } as const
  await assert.rejects(checkProof(deps, { by: shop.session, proof, action: 'withdrawal' }), {
    reason: 'email_code_error',
  })
  const consume = await checkProof(deps, { by: session, proof, action: 'withdrawal' })
  await setRole({ shop, person }, 'viewer')
  await assert.rejects(tx(deps.pool, consume), { reason: 'forbidden' }, 'the role was lowered meanwhile')
  await setRole({ shop, person }, 'finance')
  await own.owner.query('update members set removed_at = 1 where person_id = $1 and merchant_id = $2', [
    person.id,
    shop.id,
  ])
  await assert.rejects(tx(deps.pool, consume), { reason: 'login_expired' }, 'removed meanwhile')
  await own.owner.query('update members set removed_at = null where person_id = $1', [person.id])
  await tx(deps.pool, consume)
})

test('a changed factor of a member holds what the member asks for, and not the shop', async () => {
  const { shop, person } = await hire('finance')
  const { challenge } = await sendEmailCode(deps, {
    purpose: emailCodePurpose.retrievePassword,
    email: person.email,
    session: null,
    from,
  })
  const next = 'Another2Horse'
  const code = codeIn(deps.mails.at(-1))
  await resetPassword(deps, { email: person.email, code, challenge, password: next, confirm_password: next, from })
  const changed = async (id: string) => (await merchantById(deps.pool, id))?.factor_changed_at
  assert.equal(await changed(shop.id), 0)
  assert.equal(await changed(person.id), deps.clock(), 'the shop of which the person is an owner')
  await use(shop.id, person.id)
  const { session } = await signIn(person, next)
  const proof = await proofOf(session, emailCodePurpose.withdrawal)
  const consume = await checkProof(deps, { by: session, proof, action: 'withdrawal' })
  await assert.rejects(tx(deps.pool, consume), { reason: 'account_held' })
  await tx(
    deps.pool,
    await checkProof(deps, {
      by: shop.session,
      proof: await proofOf(shop.session, emailCodePurpose.withdrawal),
      action: 'withdrawal',
    }),
  )
  deps.pass(24 * 3_600)
  const later = await proofOf(session, emailCodePurpose.withdrawal)
  await tx(deps.pool, await checkProof(deps, { by: session, proof: later, action: 'withdrawal' }))
})

test('what a member changes of the own sign-in is the member’s, and told to the shop by name', async () => {
  const { shop, person } = await hire('support')
  await use(shop.id, person.id)
  const { session } = await signIn(person)
  const before = await merchantById(deps.pool, shop.id)
  const proof = await proofOf(session, emailCodePurpose.updatePassword)
  const next = 'Another2Horse'
  await changePassword(deps, { session, old_password: password, password: next, confirm_password: next, proof, from })
  const now = await signIn(person, next)
  const email = `moved-${person.email}`
  const { code } = await mailed(now.session, emailCodePurpose.updateMailboxNew, email)
  await assert.rejects(
    changeEmail(deps, { session: now.session, email: shop.email, code, proof, from }),
    { reason: 'email_code_error' },
    'the address of somebody else',
  )
  const mailbox = await proofOf(now.session, emailCodePurpose.updateMailbox)
  await changeEmail(deps, { session: now.session, email, code, proof: mailbox, from })
  const after = await merchantById(deps.pool, shop.id)
  assert.deepEqual([after?.email, after?.password_hash], [before?.email, before?.password_hash])
  assert.equal((await merchantById(deps.pool, person.id))?.email, email)
  const told = (await entries(shop.id)).filter(({ person_id }) => person_id === person.id).map(({ type }) => type)
  assert.deepEqual(told, ['login', 'password_changed', 'login', 'mailbox_changed'])
  const ownLog = (await entries(person.id)).filter(({ person_id }) => person_id === '').map(({ type }) => type)
  assert.deepEqual(ownLog.slice(-4), told)
  assert.deepEqual((await checkAudit(deps)).faults, [])
})

test('“this was not me” of a member holds the shop only where the member moves money or makes keys', async () => {
  for (const [role, holds] of [
    ['finance', true],
    ['viewer', false],
  ] as const) {
    const { shop, person } = await hire(role)
    await use(shop.id, person.id)
    const { token } = await signIn(person)
    const [, secret = ''] = createNotMeLink(deps, person.id).split('#not-me=')
    await reportUnauthorizedUseByLink(deps, { token: secret, from })
    await assert.rejects(authenticateSession(deps, { token, pending: false }), { reason: 'login_expired' })
    assert.equal((await merchantById(deps.pool, shop.id))!.held_at > 0, holds, role)
    assert.ok((await merchantById(deps.pool, person.id))!.held_at > 0, 'the own shop')
    await authenticateSession(deps, { token: shop.token, pending: false })
    const [last] = (await entries(shop.id)).slice(-1)
    assert.deepEqual(last, { type: holds ? 'not_me' : 'sessions_ended', person_id: person.id })
  }
  assert.deepEqual((await checkAudit(deps)).faults, [])
})
