import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notificationType } from '@coffer/contract'
import { isFull } from '@coffer/local/testing/full.ts'
import { until } from '@coffer/local/testing/until.ts'
import { newSecret } from '../../../kit/secrets.ts'
import { type TestDeps, withDeps } from '../../../testing/deps.ts'
import { password, testAuthenticator, testMerchant, visitor } from '../../../testing/merchants.ts'
import { authenticateSession } from '../sessions/sessions.ts'
import { login, verifyLogin } from './login.ts'

const frequent = { reason: 'frequent_operation' }
/** More networks than any limit counts, so that fewer guess as well as many: 30 hashes at once, 100 a day. */
const addresses = Array.from({ length: isFull() ? 200 : 40 }, (_, i) => `198.${i}.100.7`)
const guess = (deps: TestDeps, email: string, ip: string) =>
  login(deps, { email, password: 'Wrong1Horse', from: { ...visitor, ip } }).catch(error => error.reason as string)

/** Notices to the owner, of which `count` are due. They are sent in the background. */
async function notices(deps: TestDeps & { owner: TestDeps['pool'] }, count: number) {
  const read = async () =>
    (await deps.owner.query(`select types, params from notifications where message = 'account_password_guessed'`)).rows
  await until(`${count} notices are sent`, read, rows => rows.length >= count)
  const { pool } = deps
  await until('the server is idle', () => pool.waitingCount === 0 && pool.idleCount === pool.totalCount)
  return read()
}

test(`${addresses.length * 10} wrong passwords from ${addresses.length} networks cost few hashes, and the owner signs in at once`, async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const own = { ...visitor, deviceToken: newSecret() }
  await login(deps, { email, password, from: own })
  const before = deps.hashes()
  const attack = async () => {
    const answers: string[] = []
    for (let round = 0; round < 10; round++)
      answers.push(...((await Promise.all(addresses.map(ip => guess(deps, email, ip)))) as string[]))
    return answers
  }
  const answers = await attack()
  assert.equal(answers.length, addresses.length * 10)
  assert.deepEqual(new Set(answers), new Set(['wrong_credentials', 'work_needed']))
  assert.equal(deps.hashes() - before, 30)
  assert.equal((await login(deps, { email, password, from: { ...visitor, ip: '203.0.113.200' } })).verification, false)
  const elsewhere = { ...own, ip: '192.0.2.9' }
  assert.equal((await login(deps, { email, password, from: elsewhere })).verification, false)

  const reported = await notices(deps, 1)
  assert.deepEqual(reported.length, 1)
  assert.equal(reported[0].types, notificationType.login)
  assert.match(reported[0].params.ip, /^198\.\d+\.100\.7$/)
  await deps.delivered()
  const warned = () => deps.mails.filter(mail => mail.subject.includes('wrong passwords'))
  assert.deepEqual(
    warned().map(mail => mail.to),
    [email],
  )

  for (let quarter = 0; quarter < 8; quarter++) {
    deps.pass(900)
    for (const ip of addresses) await guess(deps, email, ip)
  }
  assert.equal(deps.hashes() - before, 102, 'a hundred a day, and the two of the owner')
  assert.equal((await notices(deps, 1)).length, 1, 'one notice in a day')
  deps.pass(86_400)
  for (const ip of addresses.slice(0, 15)) await guess(deps, email, ip)
  assert.equal((await notices(deps, 2)).length, 2, 'another one the next day')
  await deps.delivered()
  assert.equal(warned().length, 2)
})

test('an unknown account is slowed down alike and nobody is notified', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const answers = async (who: string) => Promise.all(addresses.map(ip => guess(deps, who, ip)))
  assert.deepEqual((await answers(email)).sort(), (await answers('nobody@example.com')).sort())
  assert.equal((await notices(deps, 1)).length, 1)
})

test('a /24 and an IPv6 /48 each count as one network', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  for (const host of [(i: number) => `198.51.100.${i}`, (i: number) => `2001:db8:7:${i}::1`]) {
    const answers = []
    for (let i = 1; i <= 11; i++) answers.push(await guess(deps, email, host(i)))
    assert.deepEqual(answers, [...Array(10).fill('wrong_credentials'), 'work_needed'])
  }
})

test('sign-ins that succeed use up nothing', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  for (let i = 0; i < 40; i++) await login(deps, { email, password, from: { ...visitor, ip: `198.51.${i}.1` } })
})

test('a device is known only to the account that it signed in to', async t => {
  const deps = await withDeps(t)
  const first = await testMerchant(deps)
  const second = await testMerchant(deps)
  const deviceToken = newSecret()
  await login(deps, { email: first.email, password, from: { ...visitor, deviceToken } })
  for (const { email } of [first, second]) for (let i = 0; i < 30; i++) await guess(deps, email, `198.51.${i}.1`)
  const from = { ...visitor, ip: '192.0.2.9', deviceToken }
  await assert.rejects(login(deps, { email: second.email, password, from }), { reason: 'work_needed' })
  for (let i = 0; i < 10; i++)
    await assert.rejects(login(deps, { email: first.email, password: 'Wrong1Horse', from }), {
      reason: 'wrong_credentials',
    })
  await assert.rejects(login(deps, { email: first.email, password, from }), frequent, 'a stolen device has limits too')
})

test('strangers who know the password do not use up the authenticator of a known device', async t => {
  const deps = await withDeps(t)
  const { id, email } = await testMerchant(deps)
  const { code, wrong } = await testAuthenticator(deps, id)
  const own = { ...visitor, deviceToken: newSecret() }
  const verify = async (from: typeof visitor, google: string) => {
    const { token } = await login(deps, { email, password, from })
    return verifyLogin(deps, { session: await authenticateSession(deps, { token, pending: true }), code: google, from })
  }
  await verify(own, code())
  for (let i = 0; i < 10; i++)
    await assert.rejects(verify({ ...visitor, ip: `198.51.${i}.1` }, wrong()), { reason: 'google_code_error' })
  deps.pass(60)
  await assert.rejects(verify({ ...visitor, ip: '198.51.99.1' }, code()), frequent)
  await verify(own, code())
})
