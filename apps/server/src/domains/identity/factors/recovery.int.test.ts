import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generateSync } from 'otplib'
import { auditPage } from '../../../kit/audit.ts'
import { breakOnce } from '../../../testing/break.ts'
import { withDeps } from '../../../testing/deps.ts'
import { mailedProof, ownerOf, password, testAuthenticator, testMerchant, visitor } from '../../../testing/merchants.ts'
import { atShell } from '../../../testing/operators.ts'
import { changeMerchant, merchantById } from '../../merchants/store.ts'
import { sendEmailCode } from '../codes/send-code.ts'
import { checkProof, exchangeProofForTicket } from '../proofs/check-proof.ts'
import { countRecoveryCodes } from '../proofs/recovery-code-check.ts'
import { authenticateSession } from '../sessions/sessions.ts'
import { login, verifyLogin } from '../sign-in/login.ts'
import { bindAuthenticator, offerAuthenticator } from './authenticator.ts'
import { changeEmail } from './change-email.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import {
  cancelAuthenticatorRemoval,
  confirmAuthenticatorRemoval,
  readAuthenticatorRemoval,
  removeDueAuthenticators,
  requestAuthenticatorRemoval,
} from './remove-authenticator.ts'

const deps = await withDeps({ after })
const { pool, owner } = deps
const from = visitor
const codeError = { reason: 'recovery_code_error' }

async function withCodes() {
  const merchant = await testMerchant(deps)
  const app = await testAuthenticator(deps, merchant.id)
  const { codes } = await renewRecoveryCodes(deps, {
    session: merchant.session,
    proof: { method: 'google', code: app.code() },
    from,
  })
  deps.pass(60)
  return { merchant, app, codes }
}

async function pendingSession(email: string) {
  const { token } = await login(deps, { email, password, from })
  return authenticateSession(deps, { token, pending: true })
}

const recover = async (email: string, recovery_code: string) =>
  verifyLogin(deps, { session: await pendingSession(email), recovery_code, from })

test('ten codes, hashed, each signs in once in place of the authenticator', async () => {
  const { merchant, codes } = await withCodes()
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  const stored = JSON.stringify((await owner.query('select * from recovery_codes')).rows)
  for (const code of codes) assert.ok(!stored.includes(code))
  const [first = '', second = ''] = codes
  const { token } = await recover(merchant.email, ` ${first.toUpperCase().replaceAll('-', ' ')} `)
  assert.equal((await authenticateSession(deps, { token, pending: false })).merchantId, merchant.id)
  await deps.delivered()
  assert.match(deps.mails.at(-1)!.text, /Recovery codes left: 9/)
  await assert.rejects(recover(merchant.email, first), codeError)
  const stranger = await withCodes()
  await assert.rejects(recover(stranger.merchant.email, second), codeError)
  const sessions = [await pendingSession(merchant.email), await pendingSession(merchant.email)]
  const both = await Promise.allSettled(
    sessions.map(session => verifyLogin(deps, { session, recovery_code: second, from })),
  )
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  assert.equal(await countRecoveryCodes(pool, merchant.id), 8)
})

test('five wrong recovery codes end the sign-in', async () => {
  const { merchant, codes } = await withCodes()
  const session = await pendingSession(merchant.email)
  for (let i = 0; i < 5; i++)
    await assert.rejects(verifyLogin(deps, { session, recovery_code: 'aaaa-aaaa-aaaa-aaaa', from }), codeError)
  await assert.rejects(verifyLogin(deps, { session, recovery_code: codes[0]!, from }), { reason: 'login_expired' })
})

test('codes confirm no money and no ticket; one binds another authenticator, which holds withdrawals', async () => {
  const { merchant, codes } = await withCodes()
  const proof = { method: 'recovery', code: codes[0]! } as const
  for (const action of ['withdrawal', 'transfer', 'mailbox', 'password', 'recovery-codes', 'application'] as const)
    await assert.rejects(
      checkProof(deps, { by: ownerOf(merchant.id), proof, action }),
      { reason: 'proof_needed' },
      action,
    )
  await assert.rejects(exchangeProofForTicket(deps, { by: ownerOf(merchant.id), proof, action: 'google-auth' }), {
    reason: 'proof_needed',
  })
  const { offer, secret } = await offerAuthenticator(deps, merchant.session)
  const code = generateSync({ secret, epoch: deps.clock() })
  await bindAuthenticator(deps, { session: merchant.session, offer, code, proof, from })
  assert.equal((await merchantById(pool, merchant.id))?.factor_changed_at, deps.clock())
  assert.equal(await countRecoveryCodes(pool, merchant.id), 9)
})

test('renewing ends earlier codes; it needs a proof and an authenticator; a crash keeps them', async () => {
  const { merchant, app, codes } = await withCodes()
  const renew = (at = deps) =>
    renewRecoveryCodes(at, { session: merchant.session, proof: { method: 'google', code: app.code() }, from })
  await assert.rejects(renewRecoveryCodes(deps, { session: merchant.session, from }), { reason: 'proof_needed' })
  await assert.rejects(renew({ ...deps, pool: breakOnce(pool, /audit_append/) }), /killed here/)
  await recover(merchant.email, codes[0]!)
  await renew()
  await assert.rejects(recover(merchant.email, codes[1]!), codeError)
  const bare = await testMerchant(deps)
  const proof = await mailedProof(deps, bare.id, 21)
  await assert.rejects(renewRecoveryCodes(deps, { session: bare.session, proof, from }), { reason: 'not_bound' })
})

test('two people remove a lost authenticator after a day; every address that the merchant had is notified', async () => {
  const merchant = await testMerchant(deps)
  const { id } = merchant
  const fresh = `fresh-${merchant.email}`
  await sendEmailCode(deps, { purpose: 9, email: fresh, session: ownerOf(id), from })
  const code = /(?<!\d)\d{6}(?!\d)/.exec(deps.mails.at(-1)!.text)![0]
  const proof = await mailedProof(deps, id, 6)
  await changeEmail(deps, { session: merchant.session, email: fresh, code, proof, from })
  await assert.rejects(requestAuthenticatorRemoval(deps, { merchantId: id, by: atShell('a@ops') }), {
    reason: 'not_bound',
  })
  await testAuthenticator(deps, id)
  await assert.rejects(confirmAuthenticatorRemoval(deps, { merchantId: id, by: atShell('b@ops') }), {
    reason: 'removal_not_exist',
  })
  await deps.delivered()
  const before = deps.mails.length
  await requestAuthenticatorRemoval(deps, { merchantId: id, by: atShell('a@ops') })
  await deps.delivered()
  assert.deepEqual(
    deps.mails
      .slice(before)
      .map(mail => mail.to)
      .sort(),
    [fresh, merchant.email].sort(),
  )
  await assert.rejects(requestAuthenticatorRemoval(deps, { merchantId: id, by: atShell('b@ops') }), {
    reason: 'removal_under_way',
  })
  await assert.rejects(confirmAuthenticatorRemoval(deps, { merchantId: id, by: atShell('a@ops') }), {
    reason: 'second_person_needed',
  })
  await removeDueAuthenticators(deps)
  const both = await Promise.allSettled(
    [1, 2].map(n => confirmAuthenticatorRemoval(deps, { merchantId: id, by: atShell(`b${n}@ops`) })),
  )
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  deps.pass(86_399)
  await removeDueAuthenticators(deps)
  assert.ok((await merchantById(pool, id))?.authenticator_secret)
  deps.pass(1)
  await assert.rejects(removeDueAuthenticators({ ...deps, pool: breakOnce(pool, /audit_append/) }), /killed here/)
  await deps.delivered()
  const mailed = deps.mails.length
  assert.equal(await removeDueAuthenticators(deps), 1)
  assert.equal(await removeDueAuthenticators(deps), 0)
  await deps.delivered()
  assert.equal(deps.mails.length, mailed + 2)
  const after = (await merchantById(pool, id))!
  assert.deepEqual([after.authenticator_secret, after.factor_changed_at], [null, deps.clock()])
  assert.equal((await login(deps, { email: fresh, password, from })).verification, false)
})

test('a sign-in with the authenticator, the operator, or the account’s end stops a removal', async () => {
  const { merchant, app } = await withCodes()
  const { id, email } = merchant
  const under = async () => {
    await requestAuthenticatorRemoval(deps, { merchantId: id, by: atShell('a@ops') })
    await confirmAuthenticatorRemoval(deps, { merchantId: id, by: atShell('b@ops') })
  }
  await under()
  await verifyLogin(deps, { session: await pendingSession(email), code: app.code(), from })
  assert.equal(await readAuthenticatorRemoval(pool, id), undefined)
  await under()
  await cancelAuthenticatorRemoval(deps, { merchantId: id, by: atShell('b@ops') })
  await assert.rejects(cancelAuthenticatorRemoval(deps, { merchantId: id, by: atShell('b@ops') }), {
    reason: 'removal_not_exist',
  })
  await under()
  await changeMerchant(pool, id, { deleted_at: deps.clock() })
  deps.pass(86_400)
  await removeDueAuthenticators(deps)
  assert.equal(await readAuthenticatorRemoval(pool, id), undefined)
})

test('a requested removal does not remove the authenticator that is bound meanwhile', async () => {
  const { merchant, codes } = await withCodes()
  const { id, session } = merchant
  await requestAuthenticatorRemoval(deps, { merchantId: id, by: atShell('a@ops') })
  await confirmAuthenticatorRemoval(deps, { merchantId: id, by: atShell('b@ops') })
  const { offer, secret } = await offerAuthenticator(deps, session)
  const code = generateSync({ secret, epoch: deps.clock() })
  await bindAuthenticator(deps, { session, offer, code, proof: { method: 'recovery', code: codes[0]! }, from })
  assert.equal(await readAuthenticatorRemoval(pool, id), undefined)
  assert.ok((await auditPage(pool, id, { limit: 20, offset: 0 })).some(each => each.type === 'removal_canceled'))
  deps.pass(86_400)
  await removeDueAuthenticators(deps)
  assert.ok((await merchantById(pool, id))?.authenticator_secret)
})
