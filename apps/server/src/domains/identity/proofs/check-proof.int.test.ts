import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProofAction, proofActions } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { generateSync } from 'otplib'
import { tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { type TestDeps, withDeps } from '../../../testing/deps.ts'
import {
  changeTestMerchant,
  codeIn,
  ownerOf,
  testAuthenticator,
  testMerchant,
  visitor,
} from '../../../testing/merchants.ts'
import { sendEmailCode, sendPhoneCode } from '../codes/send-code.ts'
import { bindAuthenticator, offerAuthenticator } from '../factors/authenticator.ts'
import { checkProof, exchangeProofForTicket, type Proof } from './check-proof.ts'

const needed = { reason: 'proof_needed' }

/** Checks and consumes a proof, as a verb does. */
async function prove(deps: TestDeps, merchantId: string, action: ProofAction, proof?: Proof): Promise<void> {
  const consume = await checkProof(deps, { by: ownerOf(merchantId), proof, action })
  await tx(deps.pool, consume)
}
async function mailed(deps: TestDeps, merchantId: string, purpose: number): Promise<Extract<Proof, { code: string }>> {
  await sendEmailCode(deps, { purpose, email: undefined, session: ownerOf(merchantId), from: visitor })
  return { method: 'email', code: codeIn(deps.mails.at(-1)) }
}

test('every action needs a proof, without an authenticator an email code', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  for (const [action, { email }] of Object.entries(proofActions) as [ProofAction, { email: number }][]) {
    await assert.rejects(prove(deps, id, action), needed, action)
    await prove(deps, id, action, await mailed(deps, id, email))
  }
})

test('an email code confirms one kind of action of one merchant, once', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const other = await testMerchant(deps)
  const proof = await mailed(deps, id, 8)
  const wrong = { reason: 'email_code_error' }
  await assert.rejects(prove(deps, id, 'mailbox', proof), wrong)
  await assert.rejects(prove(deps, other.id, 'withdrawal', proof), wrong)
  await prove(deps, id, 'withdrawal', proof)
  await assert.rejects(prove(deps, id, 'withdrawal', proof), wrong)
})

test('a code used twice concurrently is consumed once', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const proof = await mailed(deps, id, 8)
  const results = await Promise.allSettled([prove(deps, id, 'withdrawal', proof), prove(deps, id, 'withdrawal', proof)])
  assert.equal(results.filter(result => result.status === 'fulfilled').length, 1)
})

test('a factor that changes between the check of a proof and its use ends the proof, and the ticket for it', async t => {
  const deps = await withDeps(t)
  const { id, session } = await testMerchant(deps)
  const check = async () =>
    checkProof(deps, { by: ownerOf(id), proof: await mailed(deps, id, 8), action: 'withdrawal' })
  await tx(deps.pool, await check())
  const stale = await check()
  deps.pass(60)
  const proof = await mailed(deps, id, 8)
  const bind = async () => {
    const { offer, secret } = await offerAuthenticator(deps, session)
    const code = generateSync({ secret, epoch: deps.clock() })
    await bindAuthenticator(deps, { session, offer, code, proof: await mailed(deps, id, 5), from: visitor })
  }
  // Binds it once the proof was checked, and before its transaction.
  const connect = t.mock.fn(async () => {
    if (connect.mock.callCount() === 0) await bind()
    return deps.pool.connect()
  })
  const pool = new Proxy(deps.pool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name).bind(target)),
  })
  await assert.rejects(
    exchangeProofForTicket({ ...deps, pool }, { by: ownerOf(id), proof, action: 'withdrawal' }),
    needed,
  )
  await assert.rejects(tx(deps.pool, stale), needed)
})

test('a failing action does not consume the code', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const proof = await mailed(deps, id, 8)
  const consume = await checkProof(deps, { by: ownerOf(id), proof, action: 'withdrawal' })
  const failing = tx(deps.pool, async c => {
    await consume(c)
    throw new Error('no money')
  })
  await assert.rejects(failing, /no money/)
  await prove(deps, id, 'withdrawal', proof)
})

test('refused calls use up no attempts of a correct code, and give no further guesses', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const refused = async (proof: Proof) => {
    await checkProof(deps, { by: ownerOf(id), proof, action: 'withdrawal' })
  }
  const proof = await mailed(deps, id, 8)
  const other: Proof = { method: 'email', code: proof.code === '111111' ? '222222' : '111111' }
  for (let i = 0; i < 4; i++) await assert.rejects(refused(other), { reason: 'email_code_error' })
  for (let i = 0; i <= limits.codeTriesMax; i++) await refused(proof)
  // Correct entries give nobody another guess.
  await assert.rejects(refused(other), { reason: 'email_code_error' })
  await assert.rejects(prove(deps, id, 'withdrawal', proof), { reason: 'email_code_error' })
  deps.pass(60)
  const next = await mailed(deps, id, 8)
  for (let i = 0; i <= limits.codeTriesMax; i++) await refused(next)
  await prove(deps, id, 'withdrawal', next)
})

test('wrong attempts count without an action; after five the code is void', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const proof = await mailed(deps, id, 8)
  const other: Proof = { method: 'email', code: proof.code === '111111' ? '222222' : '111111' }
  for (let i = 0; i < 5; i++) await assert.rejects(prove(deps, id, 'withdrawal', other), { reason: 'email_code_error' })
  await assert.rejects(prove(deps, id, 'withdrawal', proof), { reason: 'email_code_error' })
})

test('a bound authenticator is the only method for every action', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const byMail = await mailed(deps, id, 8)
  const authenticator = await testAuthenticator(deps, id)
  await assert.rejects(prove(deps, id, 'application'), needed)
  await assert.rejects(prove(deps, id, 'withdrawal', byMail), needed)
  const proof: Proof = { method: 'google', code: authenticator.code() }
  await prove(deps, id, 'withdrawal', proof)
  await assert.rejects(prove(deps, id, 'application', proof), (error: unknown) => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual([error.reason, error.field], ['google_code_error', 'proof.code'])
    assert.match(error.detail?.en ?? '', /has been used/)
    return true
  })
})

test('after ten wrong authenticator codes the correct one is refused for a while', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const { code, wrong: other } = await testAuthenticator(deps, id)
  const wrong: Proof = { method: 'google', code: other() }
  for (let i = 0; i < 10; i++) await assert.rejects(prove(deps, id, 'mailbox', wrong), { reason: 'google_code_error' })
  const right = () => prove(deps, id, 'mailbox', { method: 'google', code: code() })
  deps.pass(100)
  await assert.rejects(right(), { reason: 'frequent_operation', retryAfter: 800 })
  deps.pass(800)
  await right()
})

test('a phone code confirms only withdrawals', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  await changeTestMerchant(deps.owner, id, { phone: '5551234567', area_code: '1', phone_verified: true })
  await sendPhoneCode(deps, {
    purpose: 3,
    phone: undefined,
    area_code: undefined,
    session: ownerOf(id),
    from: visitor,
  })
  const proof: Proof = { method: 'phone', code: codeIn(deps.texts.at(-1)) }
  await assert.rejects(prove(deps, id, 'mailbox', proof), needed)
  await prove(deps, id, 'withdrawal', proof)
  await assert.rejects(prove(deps, id, 'withdrawal', proof), { reason: 'sms_code_error' })
})

test('a ticket confirms one action of one merchant, once, within five minutes', async t => {
  const deps = await withDeps(t)
  const { id } = await testMerchant(deps)
  const other = await testMerchant(deps)
  const ticketFor = async (action: ProofAction, purpose: number): Promise<Proof> => {
    const { ticket, expires_in } = await exchangeProofForTicket(deps, {
      by: ownerOf(id),
      proof: await mailed(deps, id, purpose),
      action,
    })
    assert.equal(expires_in, 300)
    return { method: 'ticket', code: ticket }
  }
  const ticket = await ticketFor('notify-url', 11)
  await assert.rejects(prove(deps, id, 'password', ticket), needed)
  await assert.rejects(prove(deps, other.id, 'notify-url', ticket), needed)
  await assert.rejects(exchangeProofForTicket(deps, { by: ownerOf(id), proof: ticket, action: 'notify-url' }), needed)
  const clicks = await Promise.allSettled([
    prove(deps, id, 'notify-url', ticket),
    prove(deps, id, 'notify-url', ticket),
  ])
  assert.equal(clicks.filter(click => click.status === 'fulfilled').length, 1)

  const late = await ticketFor('withdrawal', 8)
  deps.pass(300)
  await assert.rejects(prove(deps, id, 'withdrawal', late), needed)
})

test('a new factor revokes the tickets of the old one', async t => {
  const deps = await withDeps(t)
  const { id, session } = await testMerchant(deps)
  const proof = await mailed(deps, id, 8)
  const { ticket } = await exchangeProofForTicket(deps, { by: ownerOf(id), proof, action: 'withdrawal' })
  const { secret, offer } = await offerAuthenticator(deps, { personId: id, merchantId: id })
  const code = generateSync({ secret, epoch: deps.clock() })
  await bindAuthenticator(deps, { session, offer, code, proof: await mailed(deps, id, 5), from: visitor })
  await assert.rejects(prove(deps, id, 'withdrawal', { method: 'ticket', code: ticket }), needed)
})
