import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDeps } from '../../../testing/deps.ts'
import { codeIn, mailedProof, password, testMerchant, visitor } from '../../../testing/merchants.ts'
import { sendEmailCode } from '../codes/send-code.ts'
import { register } from '../sign-in/register.ts'
import { isCommonPassword } from './new-password.ts'
import { changePassword, resetPassword } from './password.ts'

const refused = { reason: 'common_password', field: 'password' }

test('common passwords are those of the list, keyboard runs, names and repeated characters, in leet and with digits', async () => {
  for (const common of [
    'Password1',
    'P4ssw0rd',
    'Passw0rd123',
    'Qwerty123',
    'Qwertyuiop1',
    '1qaz2WSX',
    '1Q2w3e4r',
    'Abcd1234',
    'Abcdefg1',
    'Welcome2024',
    '123Dragon',
    'Monkey12',
    'Aaaaaaa1',
    'PasswordPassword1',
    'Baker2025',
    'Zachary77',
    'Trustno1Trustno1',
    'Coffer2026',
    'Usdt1234',
    'Trc20Usdt',
    'Wallet888',
    'Merchant2026',
    'Summer2025',
  ])
    assert.ok(await isCommonPassword(common, 'baker@example.com'), common)
  for (const own of ['Correct1Horse', 'Coffee2Demo', 'Xk7pQ2mnv9', 'Baker9Street', 'Tr0ub4dor3Zx'])
    assert.ok(!(await isCommonPassword(own, 'baker@example.com')), own)
})

test('no verb that sets a password accepts a common or a breached one', async t => {
  const deps = await withDeps(t, { breached: async given => given === 'Breached1Horse' })
  for (const weak of ['Password1', 'Breached1Horse']) {
    const { id, session, email } = await testMerchant(deps)
    const given = { password: weak, confirm_password: weak, from: visitor }
    const change = { ...given, session, old_password: password, proof: await mailedProof(deps, id, 7) }
    await assert.rejects(changePassword(deps, change), refused)
    const requested = async (purpose: number, to: string) => {
      const { challenge } = await sendEmailCode(deps, { purpose, email: to, session: null, from: visitor })
      return { email: to, code: codeIn(deps.mails.at(-1)), challenge }
    }
    const reset = await requested(3, email)
    await assert.rejects(resetPassword(deps, { ...given, ...reset }), refused)
    const added = await requested(2, `${id}-new@example.com`)
    await assert.rejects(register(deps, { ...given, ...added }), refused)
    const strong = { password: 'Better1Horse', confirm_password: 'Better1Horse' }
    await register(deps, { ...given, ...added, ...strong })
    await resetPassword(deps, { ...given, ...reset, ...strong })
  }
})

test('a check for breaches that fails refuses nobody', async t => {
  const deps = await withDeps(t, { breached: async () => Promise.reject(new Error('no route')) })
  const email = 'new@example.com'
  await sendEmailCode(deps, { purpose: 2, email, session: null, from: visitor })
  const code = codeIn(deps.mails.at(-1))
  await register(deps, { email, code, password, confirm_password: password, from: visitor })
})
