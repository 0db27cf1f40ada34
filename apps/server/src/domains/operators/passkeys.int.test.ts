import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { visitor as from } from '../../testing/merchants.ts'
import { testOperator } from '../../testing/operators.ts'
import { type SoftPasskey, softPasskey } from '../../testing/passkeys.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import { makeConsoleApp } from '../console/app.ts'
import { changeMerchant } from '../merchants/store.ts'
import { readOperatorActions } from './action-log.ts'
import { changeRole, removeOperator } from './change-operator.ts'
import { renewOperatorInvitation } from './invitations.ts'
import { addPasskey, askPasskeySignIn, listPasskeys, offerPasskey, removePasskey, signInByPasskey } from './passkeys.ts'
import { authenticateOperatorSession } from './sessions.ts'

const world = await withdrawalWorld({ after }, { config: { operatorUrl: 'https://pay.example' } })
const { deps, merchant } = world
const app = await makeConsoleApp(deps)
after(() => app.close())
const refused = { reason: 'passkey_error' }

async function withPasskey(role: Parameters<typeof testOperator>[1] = 'finance', given = {}) {
  const operator = await testOperator(deps, role, given)
  const session = await authenticateOperatorSession(deps, { token: operator.token, pending: false })
  const key = softPasskey()
  await addPasskey(deps, { session, name: ' Laptop ', passkey: key.create(await offerPasskey(deps, session)) })
  return { ...operator, session, key }
}

const signIn = async (key: SoftPasskey, by = {}) =>
  signInByPasskey(deps, { passkey: key.sign(await askPasskeySignIn(deps), by), from })

test('adds a passkey, signs in with it alone, once for each challenge, and shows its last use', async () => {
  const { id, email, session, key } = await withPasskey()
  const options = await askPasskeySignIn(deps)
  const passkey = key.sign(options)
  const both = await Promise.allSettled([1, 2].map(() => signInByPasskey(deps, { passkey, from })))
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  const { token } = await signIn(key)
  const live = await authenticateOperatorSession(deps, { token, pending: false })
  assert.deepEqual([live.operatorId, live.email, live.freshUntil], [id, email, 0])
  const { available, list } = await listPasskeys(deps, session)
  assert.deepEqual([available, list.map(each => [each.name, each.last_used])], [true, [['Laptop', deps.clock()]]])
  assert.equal(list[0]!.signer_key, key.signerKey, 'as the signer’s policy names it')
})

test('refuses what was signed elsewhere, without a verified person, or for somebody else', async () => {
  const { session, key } = await withPasskey()
  const other = await withPasskey()
  for (const by of [
    { origin: 'https://evil.example' },
    { site: 'evil.example' },
    { flags: 1 },
    { type: 'webauthn.create' },
  ])
    await assert.rejects(signIn(key, by), refused, JSON.stringify(by))
  await assert.rejects(signIn(softPasskey()), refused)
  const stolen = softPasskey().create(await offerPasskey(deps, other.session))
  await assert.rejects(addPasskey(deps, { session, name: 'Key', passkey: stolen }), refused)
  const again = key.create(await offerPasskey(deps, other.session))
  await assert.rejects(addPasskey(deps, { session: other.session, name: 'Key', passkey: again }), {
    reason: 'already_bound',
  })
  await assert.rejects(removePasskey(deps, { operatorId: other.id, id: key.id }), { reason: 'passkey_not_exist' })
})

test('blocks a copied passkey and records it', async () => {
  const { session, email, key } = await withPasskey()
  await signIn(key)
  await signIn(key)
  deps.pass(1)
  await assert.rejects(signIn(key, { counter: 1 }), { reason: 'passkey_cloned' })
  await assert.rejects(signIn(key), refused)
  assert.equal((await listPasskeys(deps, session)).list[0]!.blocked, true)
  const { list } = await readOperatorActions(deps, { text: email })
  assert.deepEqual(
    list.filter(each => each.action === 'passkey blocked').map(each => [each.subject, each.reason]),
    [['Laptop', 'passkey_cloned']],
  )
})

test('adds none by a call that a new link overtakes', async () => {
  const { id, session } = await withPasskey()
  const passkey = softPasskey().create(await offerPasskey(deps, session))
  await renewOperatorInvitation(deps, { id })
  await assert.rejects(addPasskey(deps, { session, name: 'Key', passkey }), { reason: 'login_expired' })
  assert.deepEqual((await listPasskeys(deps, session)).list, [])
})

test('ends with its removal, with a new link and with its operator', async () => {
  const ends: ((operator: Awaited<ReturnType<typeof withPasskey>>) => Promise<unknown>)[] = [
    ({ id, key }) => removePasskey(deps, { operatorId: id, id: key.id }),
    ({ id }) => renewOperatorInvitation(deps, { id }),
    ({ id }) => removeOperator(deps, { id }),
  ]
  for (const end of ends) {
    const operator = await withPasskey()
    const { token } = await signIn(operator.key)
    await end(operator)
    await assert.rejects(authenticateOperatorSession(deps, { token, pending: false }), { reason: 'login_expired' })
    await assert.rejects(signIn(operator.key), refused)
  }
})

/** Sends a call of an operator and returns its body. */
async function ask(token: string, path: string, body?: object) {
  const answer = await app.inject({
    method: body ? 'POST' : 'GET',
    url: `/api/operator/v1/withdrawals/${path}`,
    headers: { 'x-token': token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { payload: JSON.stringify(body) }),
  })
  return answer.json()
}

test('approves the payout that a passkey signed, and no other, without a fresh code', async () => {
  await changeMerchant(deps.pool, merchant.id, { risk_level: 'fail' })
  const { id: operatorId, token, email, key } = await withPasskey('finance', { fresh: false })
  const other = await withPasskey('finance', { fresh: false })
  const one = await world.withdraw('20')
  const two = await world.withdraw('20')
  const optionsOf = async (id: string, by = token) => (await ask(by, `${id}/passkey`)).data.options
  const approve = (id: string, passkey: object, by = token) => ask(by, `${id}/approve-by-passkey`, { passkey })
  const none = await testOperator(deps, 'finance')
  assert.equal(await optionsOf(one, none.token), null)
  const wrong: [string, string, object][] = [
    ['another payout', token, key.sign(await optionsOf(two))],
    ['a sign-in', token, key.sign(await askPasskeySignIn(deps))],
    ['the challenge of another operator', token, key.sign(await optionsOf(one, other.token))],
    ['the passkey of another operator', token, other.key.sign(await optionsOf(one))],
    ['a session without the passkey', none.token, key.sign(await optionsOf(one))],
  ]
  for (const [name, by, passkey] of wrong) assert.equal((await approve(one, passkey, by)).code, 10135, name)
  await changeRole(deps, { id: operatorId, role: 'viewer' })
  assert.equal((await approve(one, key.sign(await optionsOf(one)))).code, 403)
  await changeRole(deps, { id: operatorId, role: 'finance' })
  deps.pass(1)
  const late = key.sign(await optionsOf(two))
  deps.pass(301)
  assert.equal((await approve(two, late)).code, 10135)
  const signed = key.sign(await optionsOf(one))
  assert.deepEqual((await approve(one, signed)).data, { waits: false })
  assert.deepEqual(await world.history(one), ['requested', 'approved'])
  assert.deepEqual(await world.history(two), ['requested'])
  const [done] = (await readOperatorActions(deps, { text: one })).list
  assert.deepEqual([done!.who, done!.outcome, done!.after?.by], [email, 'done', 'passkey'])
})
