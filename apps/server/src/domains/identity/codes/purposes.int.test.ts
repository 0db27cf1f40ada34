import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { emailCodePurpose as email, type ProofAction, phoneCodePurpose as phone } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { tx } from '../../../kit/db.ts'
import { withDeps } from '../../../testing/deps.ts'
import { codeIn, ownerOf, type TestMerchant, testMerchant, visitor } from '../../../testing/merchants.ts'
import { resetPassword } from '../factors/password.ts'
import { checkProof } from '../proofs/check-proof.ts'
import { loginByCode } from '../sign-in/login.ts'
import { register } from '../sign-in/register.ts'
import { checkCode } from './check-code.ts'
import { sendEmailCode, sendPhoneCode } from './send-code.ts'

const deps = await withDeps({ after })
const from = visitor
const passwords = { password: 'Another1Horse', confirm_password: 'Another1Horse' }
const newNumber = { phone: '5559000', area_code: '44' }

/** Who enters a code, and where it was sent. */
interface Entry {
  merchant: TestMerchant
  to: string
  code: string
  challenge: string
}

const proves =
  (action: ProofAction, method: 'email' | 'phone' = 'email') =>
  async ({ merchant: { id: merchantId }, code }: Entry) => {
    const consume = await checkProof(deps, { by: ownerOf(merchantId), action, proof: { method, code } })
    await tx(deps.pool, consume)
  }
const confirms =
  (channel: 'email' | 'phone', purpose: number) =>
  async ({ merchant: { id: merchantId }, to, code }: Entry) =>
    tx(deps.pool, await checkCode(deps, [channel, to, purpose], { personId: merchantId }, code))

/** What uses the code of each purpose. `open`: without a session. */
const table: [
  name: string,
  channel: 'email' | 'phone',
  purpose: number,
  (entry: Entry) => Promise<unknown>,
  'open'?,
][] = [
  ['login', 'email', email.login, ({ to, ...entry }) => loginByCode(deps, { email: to, ...entry, from }), 'open'],
  [
    'register',
    'email',
    email.register,
    ({ to, ...entry }) => register(deps, { email: to, ...entry, ...passwords, from }),
    'open',
  ],
  [
    'retrieve-password',
    'email',
    email.retrievePassword,
    ({ to, ...entry }) => resetPassword(deps, { email: to, ...entry, ...passwords, from }),
    'open',
  ],
  ['opening', 'email', email.opening, confirms('email', email.opening)],
  ['google-auth', 'email', email.googleAuth, proves('google-auth')],
  ['update-mailbox', 'email', email.updateMailbox, proves('mailbox')],
  ['update-password', 'email', email.updatePassword, proves('password')],
  ['withdrawal', 'email', email.withdrawal, proves('withdrawal')],
  ['update-mailbox-new', 'email', email.updateMailboxNew, confirms('email', email.updateMailboxNew)],
  ['bind-phone', 'email', email.bindPhone, proves('phone')],
  ['phone: bind-phone', 'phone', phone.bindPhone, confirms('phone', phone.bindPhone)],
  // It verifies the same as the first: the number.
  ['phone: update-phone', 'phone', phone.updatePhone, confirms('phone', phone.bindPhone)],
  ['phone: withdrawal', 'phone', phone.withdrawal, proves('withdrawal', 'phone')],
]

/** Sends a code of a purpose, and returns it with where it went. */
async function send(merchant: TestMerchant, channel: 'email' | 'phone', purpose: number, open: boolean, to: string) {
  deps.pass(61)
  if (channel === 'phone') {
    const { challenge } = await sendPhoneCode(deps, {
      purpose,
      ...newNumber,
      session: ownerOf(merchant.id),
      from,
    })
    const sent = deps.texts.at(-1)
    return { merchant, to: sent!.to, code: codeIn(sent), challenge }
  }
  const { challenge } = await sendEmailCode(deps, {
    purpose,
    email: to,
    session: open ? null : ownerOf(merchant.id),
    from,
  })
  const sent = deps.mails.at(-1)
  return { merchant, to: sent!.to, code: codeIn(sent), challenge }
}

for (const [index, [name, channel, purpose, use, open]] of table.entries())
  test(`${name}: a code is sent, right, wrong, expired, and used twice`, async () => {
    // No two merchants have one number.
    const number = { phone: String(5_550_000 + index), area_code: '1' }
    const merchant = await testMerchant(deps, { ...number, phone_verified: true })
    const fresh = purpose === email.register || purpose === email.updateMailboxNew
    const to = channel === 'email' && fresh ? `new-${name}@example.com` : merchant.email
    const ask = () => send(merchant, channel, purpose, open === 'open', to)
    const wrong = { reason: channel === 'email' ? 'email_code_error' : 'sms_code_error' }

    const entry = await ask()
    assert.equal(entry.to, channel === 'email' ? to : purpose === phone.withdrawal ? `+1${number.phone}` : '+445559000')
    const other = String((Number(entry.code) + 1) % 1_000_000).padStart(limits.codeDigits, '0')
    await assert.rejects(use({ ...entry, code: other }), wrong, 'wrong')
    deps.pass(limits.codeTtlSeconds)
    await assert.rejects(use(entry), wrong, 'expired')

    const next = await ask()
    await use(next)
    await assert.rejects(use(next), wrong, 'used twice')
  })
