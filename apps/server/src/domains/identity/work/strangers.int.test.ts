import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { until } from '@coffer/local/testing/until.ts'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { Refusal } from '../../../kit/refusal.ts'
import { newSecret } from '../../../kit/secrets.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { type TestDeps, withDeps } from '../../../testing/deps.ts'
import { codeIn, password, testMerchant, visitor } from '../../../testing/merchants.ts'
import { createWorkPassLink } from '../../notifications/mail-links.ts'
import { sendEmailCode } from '../codes/send-code.ts'
import { resetPassword } from '../factors/password.ts'
import { login, loginByCode } from '../sign-in/login.ts'
import { register } from '../sign-in/register.ts'

type Challenge = Parameters<typeof solveChallenge>[0]['challenge']
const needed = { reason: 'work_needed' }
const at = (ip: string, work = ''): Visitor => ({ ...visitor, ip, work })

/** Returns the challenge with which a call is refused. */
async function challengeOf(call: Promise<unknown>): Promise<Challenge> {
  const error = await call.then(
    () => undefined,
    thrown => thrown,
  )
  assert.ok(error instanceof Refusal && error.reason === 'work_needed', String(error))
  return (error.data as { challenge: Challenge }).challenge
}

async function solved(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64url')
}

/** Sends a call as a browser does: again with work, if that is needed. */
async function paying<T>(from: Visitor, call: (from: Visitor) => Promise<T>): Promise<T> {
  try {
    return await call(from)
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'work_needed') throw error
    const { challenge } = error.data as { challenge: Challenge }
    return call({ ...from, work: await solved(challenge) })
  }
}

const next = { password: 'Another1Horse', confirm_password: 'Another1Horse' }
const send = (deps: TestDeps, purpose: number, email: string) => (from: Visitor) =>
  sendEmailCode(deps, { purpose, email, session: null, from })

/** Thirty codes of each purpose for a mailbox, from three networks. */
async function flood(deps: TestDeps, purpose: number, email: string) {
  for (let i = 0; i < 30; i++) await send(deps, purpose, email)(at(`198.51.${i % 3}.${i}`))
  await assert.rejects(send(deps, purpose, email)(at('192.0.2.1')), needed)
}

test('thirty codes from three networks keep nobody from signing in, resetting and registering elsewhere', async t => {
  for (const purpose of [emailCodePurpose.login, emailCodePurpose.retrievePassword, emailCodePurpose.register]) {
    const deps = await withDeps(t)
    const known = (await testMerchant(deps)).email
    const email = purpose === emailCodePurpose.register ? 'new@example.com' : known
    await flood(deps, purpose, email)
    const from = at('192.0.2.1')
    const { challenge } = await paying(from, send(deps, purpose, email))
    const code = codeIn(deps.mails.at(-1))
    const input = { email, code, challenge, from }
    if (purpose === emailCodePurpose.login) await loginByCode(deps, input)
    else if (purpose === emailCodePurpose.register) await register(deps, { ...input, ...next })
    else {
      await resetPassword(deps, { ...input, ...next })
      await login(deps, { email, password: next.password, from })
    }
  }
})

test('thirty wrong passwords keep nobody from signing in: from another network, from the same, to another account', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const other = await testMerchant(deps)
  const network = at('198.51.100.7')
  const elsewhere = at('192.0.2.1')
  const guess = (from: Visitor) => login(deps, { email, password: 'Wrong1Horse', from })
  const wrong = { reason: 'wrong_credentials' }
  const before = deps.hashes()
  for (let i = 0; i < 10; i++) await assert.rejects(guess(network), wrong)
  await assert.rejects(guess(network), needed)
  assert.equal(deps.hashes() - before, 10, 'what is not paid costs no hash')
  for (let i = 0; i < 20; i++) await assert.rejects(paying(network, guess), wrong)
  await assert.rejects(guess(elsewhere), needed)
  const signIn = (who: string) => (from: Visitor) => login(deps, { email: who, password, from })
  await signIn(other.email)(at('198.51.100.9'))
  for (const from of [elsewhere, at('198.51.100.8')]) assert.ok((await paying(from, signIn(email))).token)
})

test('one machine that tries many accounts makes work for its address, and closes it for none', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const from = at('198.51.100.7')
  const guess = (n: number) => login(deps, { email: `nobody${n}@example.com`, password: 'Wrong1Horse', from })
  for (let i = 0; i < 100; i++) await assert.rejects(guess(i), { reason: 'wrong_credentials' })
  await assert.rejects(guess(100), needed)
  await paying(from, each => login(deps, { email, password, from: each }))
  await paying(from, each => sendEmailCode(deps, { purpose: 1, email, session: null, from: each }))
})

test('work is good for one call, of one kind, for one mailbox, for ten minutes', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const other = await testMerchant(deps)
  for (const each of [email, other.email]) await flood(deps, emailCodePurpose.login, each)
  const from = at('192.0.2.1')
  const ask = (work: string, who = email, purpose: number = emailCodePurpose.login) =>
    send(deps, purpose, who)({ ...from, work })
  const challenge = await challengeOf(ask(''))
  const work = await solved(challenge)
  await assert.rejects(ask(work, other.email), needed, 'another mailbox')
  await assert.rejects(ask(work, email, emailCodePurpose.retrievePassword), needed, 'another call')
  const changed = (
    change: (given: { challenge: Challenge; solution: { counter: number; derivedKey: string } }) => void,
  ) => {
    const given = JSON.parse(Buffer.from(work, 'base64url').toString())
    change(given)
    return Buffer.from(JSON.stringify(given)).toString('base64url')
  }
  const forged: [what: string, work: string][] = [
    ['no solution', changed(given => Object.assign(given, { solution: undefined }))],
    ['a wrong key', changed(given => Object.assign(given.solution, { derivedKey: '00'.repeat(32) }))],
    ['no hex', changed(given => Object.assign(given.solution, { derivedKey: 'x' }))],
    ['a cheaper challenge', changed(given => Object.assign(given.challenge.parameters, { cost: 1 }))],
    ['a later end', changed(given => Object.assign(given.challenge.parameters.data!, { until: 9e9 }))],
    ['another signature', changed(given => Object.assign(given.challenge, { signature: 'f'.repeat(64) }))],
    ['no key prefix', changed(given => Object.assign(given.challenge.parameters, { keyPrefix: '' }))],
    ['nothing', 'e30'],
    ['no JSON', '%%%'],
    ['a pass of nobody', `pass.zzzzzz.${'x'.repeat(43)}`],
  ]
  for (const [what, each] of forged) await assert.rejects(ask(each), needed, what)
  const twice = await Promise.allSettled([ask(work), ask(work)])
  assert.deepEqual(twice.map(each => each.status).sort(), ['fulfilled', 'rejected'], 'sent twice at once')
  deps.pass(60)
  await assert.rejects(ask(work), needed, 'used')
  const late = await solved(await challengeOf(ask('')))
  deps.pass(600)
  await assert.rejects(ask(late), needed, 'ten minutes old')
})

test('the price rises with what strangers do, within bounds', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const priceFor = async () => {
    const { data } = (await challengeOf(send(deps, 1, email)(at('192.0.2.1')))).parameters
    return data!.price
  }
  await flood(deps, emailCodePurpose.login, email)
  assert.equal(await priceFor(), 1)
  for (const [calls, price] of [
    [60, 2],
    [200, 8],
    [5_000, 8],
  ]) {
    await deps.owner.query('update throttles set n = $2 where key = $1', [`email code to ${email}`, calls])
    assert.equal(await priceFor(), price, `${calls} codes`)
  }
})

test('the mail about guessing lets its owner pass without work, and nobody else, for a day', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const other = await testMerchant(deps)
  await login(deps, { email, password, from: { ...visitor, deviceToken: newSecret() } })
  const guess = (from: Visitor, who = email) => login(deps, { email: who, password: 'Wrong1Horse', from })
  for (const who of [email, other.email])
    for (let i = 0; i < 30; i++) await assert.rejects(guess(at(`198.51.${i}.7`), who), { reason: 'wrong_credentials' })
  const warned = async () => {
    await deps.delivered()
    return deps.mails.find(mail => mail.to === email && mail.subject.includes('wrong passwords'))
  }
  await until('the owner is warned', warned, Boolean)
  const [, pass = ''] = /\/login#pass=([\w.-]+)/.exec((await warned())!.text) ?? []
  assert.ok(createWorkPassLink(deps, email).endsWith(pass))
  const passed = at('192.0.2.1', pass)
  assert.ok((await login(deps, { email, password, from: passed })).token)
  await assert.rejects(login(deps, { email: other.email, password, from: passed }), needed, 'for one mailbox')
  for (let i = 1; i < 20; i++) await assert.rejects(guess(passed), { reason: 'wrong_credentials' })
  await assert.rejects(guess(passed), needed, 'a stolen link is no way to guess')
  deps.pass(86_400)
  for (let i = 0; i < 30; i++) await assert.rejects(guess(at(`198.51.${i}.7`)), { reason: 'wrong_credentials' })
  await assert.rejects(guess(passed), needed, 'a day later')
})
