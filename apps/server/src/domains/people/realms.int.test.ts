import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { makeApp } from '../../serve.ts'
import { withDeps } from '../../testing/deps.ts'
import { codeIn, password, testMerchant, visitor } from '../../testing/merchants.ts'
import { testOperator } from '../../testing/operators.ts'
import { softPasskey } from '../../testing/passkeys.ts'
import { makeConsoleApp } from '../console/app.ts'
import { sendEmailCode } from '../identity/codes/send-code.ts'
import { askPasskeySignIn, loginByPasskey, offerPasskeyRegistration } from '../identity/factors/passkeys.ts'
import { resetPassword } from '../identity/factors/password.ts'
import { merchantPasskeys } from '../identity/passkeys/store.ts'
import { authenticateSession } from '../identity/sessions/sessions.ts'
import { login } from '../identity/sign-in/login.ts'
import { register } from '../identity/sign-in/register.ts'
import { createNotMeLink } from '../notifications/mail-links.ts'
import { addOperator, readInvitation } from '../operators/invitations.ts'
import {
  addPasskey,
  askPasskeySignIn as askOperatorPasskey,
  offerPasskey as offerOperatorPasskey,
  signInByPasskey,
} from '../operators/passkeys.ts'
import { authenticateOperatorSession } from '../operators/sessions.ts'
import { signIn } from '../operators/sign-in.ts'
import { findVisitorStanding, rememberDevice } from './devices.ts'
import { insertPasskey } from './passkeys.ts'

const url = 'https://pay.example'
const deps = await withDeps({ after }, { config: { publicUrl: url, operatorUrl: url } })
const ports = { public: await makeApp(deps), console: await makeConsoleApp(deps) }
after(() => Promise.all(Object.values(ports).map(port => port.close())))
const from = visitor
const ended = { reason: 'login_expired' }

/** A merchant and an operator of one mailbox. */
async function oneMailbox() {
  const operator = await testOperator(deps, 'owner')
  const merchant = await testMerchant(deps, { email: operator.email })
  return { operator, merchant, email: operator.email }
}

test('a session counts at the door where it was opened', async () => {
  const { operator, merchant } = await oneMailbox()
  const ask = async (port: keyof typeof ports, path: string, token: string) =>
    (await ports[port].inject({ url: path, headers: { 'x-token': token } })).json().code
  const pages = { public: '/api/v1/user/info', console: '/api/operator/v1/session' }
  assert.deepEqual(
    [
      await ask('public', pages.public, merchant.token),
      await ask('console', pages.console, operator.token),
      await ask('public', pages.public, operator.token),
      await ask('console', pages.console, merchant.token),
      await ask('public', pages.console, operator.token),
      await ask('console', pages.public, merchant.token),
    ],
    [200, 200, 401, 401, 404, 404],
  )
  const waiting = await signIn(deps, { email: operator.email, password, from })
  await assert.rejects(authenticateSession(deps, { token: waiting.token, pending: true }), ended)
  await assert.rejects(authenticateOperatorSession(deps, { token: merchant.token, pending: true }), ended)
})

test('a passkey of one realm signs nobody in to the other, even under one id', async () => {
  const { operator, merchant } = await oneMailbox()
  const session = await authenticateOperatorSession(deps, { token: operator.token, pending: false })
  const shopKey = softPasskey()
  const offer = shopKey.create(await offerPasskeyRegistration(deps, merchant.session))
  const { passkey } = await merchantPasskeys.verifyNew(deps, merchant.id, offer)
  const { id, public_key, counter, host } = passkey
  assert.equal(await insertPasskey(deps.owner, merchant.id, id, 'Shop', public_key, counter, [], false, 0, host), 1)
  const consoleKey = softPasskey()
  const made = consoleKey.create(await offerOperatorPasskey(deps, session))
  await addPasskey(deps, { session, name: 'Console', passkey: made })

  const refused = { reason: 'passkey_error' }
  const atConsole = await askOperatorPasskey(deps)
  const atShop = await askPasskeySignIn(deps)
  await assert.rejects(signInByPasskey(deps, { passkey: shopKey.sign(atConsole), from }), refused)
  await assert.rejects(loginByPasskey(deps, { passkey: consoleKey.sign(atShop), from }), refused)
  await assert.rejects(
    loginByPasskey(deps, { passkey: shopKey.sign(atConsole), from }),
    refused,
    'made for the console',
  )

  // Whoever registers the id of somebody else's passkey takes nothing from its owner.
  assert.equal(await insertPasskey(deps.owner, operator.id, id, 'Same', public_key, counter, [], false, 0, host), 1)
  assert.equal(await insertPasskey(deps.owner, operator.id, id, 'Again', public_key, counter, [], false, 0, host), 0)
  const other = await testMerchant(deps)
  assert.equal(await insertPasskey(deps.owner, other.id, id, 'Thief', public_key, counter, [], false, 0, host), 0)
  const { token } = await loginByPasskey(deps, { passkey: shopKey.sign(await askPasskeySignIn(deps)), from })
  assert.equal((await authenticateSession(deps, { token, pending: false })).merchantId, merchant.id)
  assert.equal((await signInByPasskey(deps, { passkey: consoleKey.sign(atConsole), from })).by.operatorId, operator.id)
})

test('a device is known in the realm in which it signed in', async () => {
  const { operator, merchant } = await oneMailbox()
  const device = { ...from, ip: '198.51.100.77', deviceToken: 'd'.repeat(43) }
  await rememberDevice(deps.pool, merchant.id, device, deps.clock())
  assert.deepEqual(
    [
      (await findVisitorStanding(deps.pool, merchant.id, device)).known,
      (await findVisitorStanding(deps.pool, operator.id, device)).known,
    ],
    [true, false],
  )
})

test('who reads the mailbox resets the password of the shop, and opens no console', async () => {
  const { email } = await oneMailbox()
  const given = { purpose: emailCodePurpose.retrievePassword, email, session: null, from }
  const { challenge } = await sendEmailCode(deps, given)
  const next = 'Another2Horse'
  const code = codeIn(deps.mails.at(-1))
  await resetPassword(deps, { email, code, challenge, password: next, confirm_password: next, from })
  assert.ok((await login(deps, { email, password: next, from })).token)
  await assert.rejects(signIn(deps, { email, password: next, from }), { reason: 'wrong_credentials' })
  assert.ok((await signIn(deps, { email, password, from })).token)
})

test('links of one realm open nothing in the other', async () => {
  const { merchant } = await oneMailbox()
  const { link } = await addOperator(deps, { email: `${crypto.randomUUID()}@example.com`, role: 'viewer' })
  const invitation = /#invitation=(.+)$/.exec(link)![1]!
  const notMe = /#not-me=(.+)$/.exec(createNotMeLink(deps, merchant.id))![1]!
  const post = async (port: keyof typeof ports, path: string, payload: object) =>
    (await ports[port].inject({ method: 'POST', url: path, payload })).json().code
  assert.notEqual(await post('public', '/api/v1/public/not-me', { token: invitation }), 200)
  assert.equal(await post('public', '/api/operator/v1/public/invitation', { invitation }), 404)
  await assert.rejects(readInvitation(deps, { invitation: notMe, from }), { reason: 'invitation_ended' })
  assert.equal(await post('console', '/api/operator/v1/public/invitation', { invitation }), 200)
})

test('one address has one account in each realm, also when two are made at once', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const invited = await Promise.allSettled([1, 2].map(() => addOperator(deps, { email, role: 'finance' })))
  assert.deepEqual(invited.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  const { challenge } = await sendEmailCode(deps, { purpose: emailCodePurpose.register, email, session: null, from })
  const code = codeIn(deps.mails.at(-1))
  const given = { email, code, challenge, password, confirm_password: password, from }
  const registered = await Promise.allSettled([1, 2].map(() => register(deps, given)))
  assert.deepEqual(registered.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  const { rows } = await deps.owner.query(
    'select p.realm, m.role from persons p join members m on m.person_id = p.id where p.email = $1 order by 1',
    [email],
  )
  assert.deepEqual(rows, [
    { realm: 'console', role: 'finance' },
    { realm: 'shop', role: 'owner' },
  ])
})
