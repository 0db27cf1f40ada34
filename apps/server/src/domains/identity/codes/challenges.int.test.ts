import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@coffer/contract/kit/limits.ts'
import { newSecret } from '../../../kit/secrets.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { type TestDeps, withDeps } from '../../../testing/deps.ts'
import { codeIn, ownerOf, password, testMerchant, visitor } from '../../../testing/merchants.ts'
import { resetPassword } from '../factors/password.ts'
import { login, loginByCode } from '../sign-in/login.ts'
import { register } from '../sign-in/register.ts'
import { sendEmailCode } from './send-code.ts'

const wrong = { reason: 'email_code_error', field: 'code' }
const stranger: Visitor = { ...visitor, ip: '198.51.100.66' }
const next = { password: 'Other1Horse', confirm_password: 'Other1Horse' }

interface Given {
  email: string
  code: string
  challenge?: string
  from: Visitor
}
/** Every action that a code confirms without a session, with the purpose of its code. */
const actions: Record<string, [purpose: number, act: (deps: TestDeps, given: Given) => Promise<unknown>]> = {
  'sign in': [1, loginByCode],
  register: [2, (deps, given) => register(deps, { ...given, ...next })],
  'reset the password': [3, (deps, given) => resetPassword(deps, { ...given, ...next })],
}

const ask = (deps: TestDeps, purpose: number, email: string, from = visitor) =>
  sendEmailCode(deps, { purpose, email, session: null, from })
const sent = (deps: TestDeps) => codeIn(deps.mails.at(-1))
const another = (code: string) => (code === '000000' ? '000001' : '000000')
const owner = async (deps: TestDeps, purpose: number) =>
  purpose === 2 ? 'new@example.com' : (await testMerchant(deps)).email

for (const [name, [purpose, act]] of Object.entries(actions)) {
  test(`thirty wrong codes of a stranger do not make the owner wait to ${name}`, async t => {
    for (const from of [stranger, visitor]) {
      const deps = await withDeps(t)
      const email = await owner(deps, purpose)
      const { challenge } = await ask(deps, purpose, email)
      const code = sent(deps)
      if (from !== visitor) await ask(deps, purpose, email, from)
      for (let i = 0; i < 30; i++) await assert.rejects(act(deps, { email, code: another(code), from }), wrong)
      await act(deps, { email, code, challenge, from: visitor })
      await assert.rejects(act(deps, { email, code, challenge, from: visitor }), wrong, 'a code works once')
    }
  })

  test(`a code to ${name} works once, for its challenge, email and purpose, before it expires`, async t => {
    const deps = await withDeps(t)
    const email = await owner(deps, purpose)
    const { challenge } = await ask(deps, purpose, email)
    const code = sent(deps)
    const other = await ask(deps, purpose, email, stranger)
    await assert.rejects(act(deps, { email, code, challenge: other.challenge, from: visitor }), wrong)
    await assert.rejects(act(deps, { email, code, challenge: newSecret(), from: visitor }), wrong)
    await assert.rejects(act(deps, { email: 'other@example.com', code, challenge, from: visitor }), wrong)
    for (const [elsewhere, [different, attempt]] of Object.entries(actions))
      if (different !== purpose)
        await assert.rejects(attempt(deps, { email, code, challenge, from: visitor }), wrong, elsewhere)
    deps.pass(600)
    await assert.rejects(act(deps, { email, code, challenge, from: visitor }), wrong)
    const fresh = await ask(deps, purpose, email)
    const given = { email, code: sent(deps), challenge: fresh.challenge, from: { ...visitor, ip: '203.0.113.99' } }
    const clicks = await Promise.allSettled([act(deps, given), act(deps, given)])
    assert.equal(clicks.filter(click => click.status === 'fulfilled').length, 1)
  })

  test(`without a challenge, only the address that requested the code can ${name}`, async t => {
    const deps = await withDeps(t)
    const email = await owner(deps, purpose)
    await ask(deps, purpose, email)
    const code = sent(deps)
    await assert.rejects(act(deps, { email, code, from: stranger }), wrong)
    await act(deps, { email, code, from: visitor })
  })
}

test('a challenge allows five attempts, and a new one five more', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const { challenge } = await ask(deps, 1, email)
  const code = sent(deps)
  const given = { email, challenge, from: visitor }
  for (let i = 0; i < 5; i++) await assert.rejects(loginByCode(deps, { ...given, code: another(code) }), wrong)
  await assert.rejects(loginByCode(deps, { ...given, code }), wrong)
  deps.pass(60)
  const again = await ask(deps, 1, email)
  await loginByCode(deps, { ...given, code: sent(deps), challenge: again.challenge })
})

test('a correct code outlives refusals of the new password, and gives no further guesses', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  for (const withChallenge of [true, false]) {
    deps.pass(60)
    const { challenge } = await ask(deps, 3, email)
    const code = sent(deps)
    const given = { email, from: visitor, ...(withChallenge && { challenge }) }
    const same = { password, confirm_password: password }
    const refused = () => assert.rejects(resetPassword(deps, { ...given, ...same, code }), { reason: 'same_password' })
    for (let i = 0; i < 4; i++)
      await assert.rejects(resetPassword(deps, { ...given, ...next, code: another(code) }), wrong)
    for (let i = 0; i <= limits.codeTriesMax; i++) await refused()
    await assert.rejects(resetPassword(deps, { ...given, ...next, code: another(code) }), wrong)
    await assert.rejects(resetPassword(deps, { ...given, ...next, code }), wrong)
  }
})

test('after thirty wrong codes a day, from any network, a challenge allows one attempt', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  let network = 0
  let wrongCodes = 0
  const attack = async (attempts: number) => {
    const from = { ...visitor, ip: `198.51.${++network}.1` }
    const { challenge } = await ask(deps, 1, email, from)
    const code = sent(deps)
    for (let i = 0; i < attempts; i++)
      await assert.rejects(loginByCode(deps, { email, challenge, code: another(code), from }), wrong)
    wrongCodes += attempts
    return { challenge, code, from }
  }
  while (wrongCodes < 30) await attack(5)
  const { code, ...tried } = await attack(1)
  await assert.rejects(loginByCode(deps, { email, code, ...tried }), wrong, 'a second attempt')
  const own = await ask(deps, 1, email)
  await loginByCode(deps, { email, code: sent(deps), challenge: own.challenge, from: visitor })
})

test('strangers cannot use up the codes of a mailbox for its known device or network', async t => {
  const deps = await withDeps(t)
  const { email } = await testMerchant(deps)
  const deviceToken = newSecret()
  await login(deps, { email, password, from: { ...visitor, deviceToken } })
  for (let i = 0; i < 30; i++) await ask(deps, 3, email, { ...visitor, ip: `198.51.${i}.1` })
  const elsewhere = { ...visitor, ip: '192.0.2.1' }
  await assert.rejects(ask(deps, 3, email, elsewhere), { reason: 'work_needed' })
  await assert.rejects(ask(deps, 3, email, { ...elsewhere, deviceToken: newSecret() }), {
    reason: 'work_needed',
  })
  const moved = { ...elsewhere, deviceToken }
  const { challenge } = await ask(deps, 3, email, moved)
  await resetPassword(deps, { email, code: sent(deps), challenge, ...next, from: moved })
  await assert.rejects(ask(deps, 1, email, moved), { reason: 'work_needed' }, 'a reset forgets devices')
  await login(deps, { email, password: next.password, from: moved })
  await ask(deps, 1, email, { ...visitor, ip: '192.0.2.200' })
})

test('a merchant cannot replace the code that another merchant requested for the same new email', async t => {
  const deps = await withDeps(t)
  const first = await testMerchant(deps)
  const second = await testMerchant(deps)
  const email = 'wanted@example.com'
  for (const { id } of [first, second])
    await sendEmailCode(deps, { purpose: 9, email, session: ownerOf(id), from: visitor })
  const { rows } = await deps.owner.query('select asker from verification_codes order by asker')
  assert.deepEqual(rows.map(row => row.asker).sort(), [first.id, second.id].sort())
})
