import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ProofAction } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { tx } from '../../../kit/db.ts'
import { hashSecret, newSecret } from '../../../kit/secrets.ts'
import { breakOnce } from '../../../testing/break.ts'
import { withDeps } from '../../../testing/deps.ts'
import {
  mailedProof,
  ownerOf,
  type TestMerchant,
  testAuthenticator,
  testMerchant,
  visitor,
} from '../../../testing/merchants.ts'
import { type SoftPasskey, softPasskey } from '../../../testing/passkeys.ts'
import { changeMerchant, merchantById } from '../../merchants/store.ts'
import { checkProof, exchangeProofForTicket, type Proof, proofMethods } from '../proofs/check-proof.ts'
import { authenticateSession } from '../sessions/sessions.ts'
import { deleteExpiredCredentials, insertTicket } from '../store.ts'
import {
  addPasskey,
  askPasskeySignIn,
  changePasskeyName,
  listPasskeys,
  loginByPasskey,
  offerPasskeyRegistration,
  removePasskey,
  requestPasskeyAssertion,
} from './passkeys.ts'

const deps = await withDeps({ after }, { config: { publicUrl: 'https://pay.example' } })
const { owner, pool } = deps
const refused = { reason: 'passkey_error' }

/** Adds a passkey with a mailed code. The session of the merchant then has a new token. */
async function add(merchant: TestMerchant, key: SoftPasskey, name = 'Laptop') {
  const proof = await mailedProof(deps, merchant.id, 20)
  const passkey = key.create(await offerPasskeyRegistration(deps, merchant.session))
  const { token } = await addPasskey(deps, { session: merchant.session, name, passkey, proof, from: visitor })
  merchant.session.tokenHash = (await authenticateSession(deps, { token, pending: false })).tokenHash
  deps.pass(61)
}

async function merchantWithPasskey(key = softPasskey()) {
  const merchant = await testMerchant(deps)
  await add(merchant, key)
  return { merchant, key }
}

type Data = Record<string, string>
const signed = async (merchant: TestMerchant, key: SoftPasskey, action: ProofAction, data?: Data): Promise<Proof> => ({
  method: 'passkey',
  assertion: key.sign(await requestPasskeyAssertion(deps, merchant.session, { action, data })),
})

const prove = async ({ id }: TestMerchant, proof: Proof, action: ProofAction, data?: Data) => {
  const consume = await checkProof(deps, { by: ownerOf(id), proof, action, data })
  await tx(pool, c => consume(c))
}

const signIn = async (key: SoftPasskey, by: Parameters<SoftPasskey['sign']>[1] = {}) =>
  loginByPasskey(deps, { passkey: key.sign(await askPasskeySignIn(deps), by), from: visitor })

test('a passkey is added with a proof, signs in without the authenticator, and shows its last use', async () => {
  const { merchant, key } = await merchantWithPasskey()
  await deps.delivered()
  assert.match(deps.mails.at(-1)!.text, /A passkey was added.*Laptop/s)
  assert.equal((await merchantById(pool, merchant.id))?.factor_changed_at, deps.clock() - 61, 'withdrawals are held')
  await testAuthenticator(deps, merchant.id)
  const { token, verification } = await signIn(key)
  assert.equal(verification, false)
  assert.equal((await authenticateSession(deps, { token, pending: false })).merchantId, merchant.id)
  await changePasskeyName(deps, merchant.session, key.id, ' Phone ')
  assert.deepEqual(await listPasskeys(deps, merchant.session), {
    available: true,
    list: [
      {
        id: key.id,
        name: 'Phone',
        synced: false,
        created_time: deps.clock() - 61,
        last_used: deps.clock(),
        blocked: false,
      },
    ],
  })
  assert.deepEqual(await proofMethods(pool, (await merchantById(pool, merchant.id))!), ['passkey', 'google'])
})

test('adding needs a proof, a verified person, this site, and the challenge of this merchant', async () => {
  const merchant = await testMerchant(deps)
  const stranger = await testMerchant(deps)
  const key = softPasskey()
  const ticket = newSecret()
  await insertTicket(pool, hashSecret(ticket), merchant.id, 'passkey', deps.clock() + 300)
  const proof: Proof = { method: 'ticket', code: ticket }
  const addWith = (passkey: ReturnType<SoftPasskey['create']>) =>
    addPasskey(deps, { session: merchant.session, name: 'Key', passkey, proof, from: visitor })
  const options = await offerPasskeyRegistration(deps, merchant.session)
  await assert.rejects(
    addPasskey(deps, { session: merchant.session, name: 'Key', passkey: key.create(options), from: visitor }),
    { reason: 'proof_needed' },
  )
  const wrong: [string, ReturnType<SoftPasskey['create']>][] = [
    ['another origin', key.create(options, { origin: 'https://evil.example' })],
    ['another site', key.create(options, { site: 'evil.example' })],
    ['nobody verified', key.create(options, { flags: 0x41 })],
    ['a sign-in', key.create(options, { type: 'webauthn.get' })],
    ['a page in a frame', key.create(options, { crossOrigin: true })],
    ['the challenge of another merchant', key.create(await offerPasskeyRegistration(deps, stranger.session))],
    ['the challenge of a sign-in', key.create(await askPasskeySignIn(deps))],
    ['a challenge of its own', key.create({ challenge: Buffer.alloc(88).toString('base64url') })],
    ['no CBOR', { ...key.create(options), response: { ...key.create(options).response, attestationObject: 'AAAA' } }],
  ]
  for (const [name, passkey] of wrong) await assert.rejects(addWith(passkey), refused, name)
  const good = key.create(options)
  const broken = { ...deps, pool: breakOnce(pool, /audit_append/) }
  const input = { session: merchant.session, name: 'Key', passkey: good, proof, from: visitor }
  await assert.rejects(addPasskey(broken, input), /killed here/)
  await addWith(good)
  // Somebody else registers the same key, and the owner does again.
  for (const who of [merchant, stranger]) {
    deps.pass(61)
    const again = {
      ...input,
      passkey: key.create(await offerPasskeyRegistration(deps, who.session)),
      session: who.session,
    }
    await assert.rejects(addPasskey(deps, { ...again, proof: await mailedProof(deps, who.id, 20) }), {
      reason: 'already_bound',
    })
  }
})

test('a signature counts for one action with its data, once, for five minutes', async () => {
  const { merchant, key } = await merchantWithPasskey()
  const stranger = await merchantWithPasskey()
  const data = { amount: '10', address: 'a' }
  const proof = await signed(merchant, key, 'withdrawal', data)
  assert.ok(proof.method === 'passkey')
  await assert.rejects(prove(merchant, proof, 'withdrawal', { ...data, amount: '11' }), refused)
  await assert.rejects(prove(merchant, proof, 'withdrawal'), refused)
  await assert.rejects(prove(merchant, proof, 'transfer', data), refused)
  await assert.rejects(prove(stranger.merchant, proof, 'withdrawal', data), refused)
  await assert.rejects(loginByPasskey(deps, { passkey: proof.assertion, from: visitor }), refused)
  const failing = tx(pool, async c => {
    await (await checkProof(deps, { by: ownerOf(merchant.id), proof, action: 'withdrawal', data }))(c)
    throw new Error('no money')
  })
  await assert.rejects(failing, /no money/)
  const both = await Promise.allSettled(
    [1, 2].map(() => prove(merchant, proof, 'withdrawal', { address: 'a', amount: '10' })),
  )
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  await assert.rejects(prove(merchant, proof, 'withdrawal', data), refused)
  // It must not be exchanged for a ticket, which is not bound to the data.
  const next = await merchantWithPasskey()
  const fresh = await signed(next.merchant, next.key, 'withdrawal')
  await assert.rejects(
    exchangeProofForTicket(deps, { by: ownerOf(next.merchant.id), proof: fresh, action: 'withdrawal' }),
    {
      reason: 'proof_needed',
    },
  )
  deps.pass(300)
  await assert.rejects(prove(next.merchant, fresh, 'withdrawal'), refused)
})

test('a sign-in is refused without the right key, site, person or challenge', async () => {
  const { key } = await merchantWithPasskey(softPasskey({ counts: false }))
  const other = softPasskey()
  const options = await askPasskeySignIn(deps)
  const good = key.sign(options)
  const tampered = Buffer.from(options.challenge, 'base64url')
  tampered[0] = 1
  const wrong: [string, ReturnType<SoftPasskey['sign']>][] = [
    ['an unknown key', other.sign(options)],
    ['a foreign signature', { ...other.sign(options), id: key.id }],
    ['another origin', key.sign(options, { origin: 'https://evil.example' })],
    ['another site', key.sign(options, { site: 'evil.example' })],
    ['nobody verified', key.sign(options, { flags: 0x01 })],
    ['nobody present', key.sign(options, { flags: 0x04 })],
    ['a registration', key.sign(options, { type: 'webauthn.create' })],
    ['a page in a frame', key.sign(options, { crossOrigin: true })],
    ['a longer life', key.sign({ challenge: tampered.toString('base64url') })],
    ['no challenge', key.sign({ challenge: '' })],
    ['garbage', { ...good, response: { ...good.response, authenticatorData: 'AAAA' } }],
  ]
  for (const [name, passkey] of wrong)
    await assert.rejects(loginByPasskey(deps, { passkey, from: visitor }), refused, name)
  const both = await Promise.allSettled([1, 2].map(() => loginByPasskey(deps, { passkey: good, from: visitor })))
  assert.deepEqual(both.map(each => each.status).sort(), ['fulfilled', 'rejected'])
  // 88 bytes end in a character of which four bits mean nothing.
  const again =
    options.challenge.slice(0, -1) + String.fromCharCode(options.challenge.charCodeAt(options.challenge.length - 1) + 1)
  assert.deepEqual(Buffer.from(again, 'base64url'), Buffer.from(options.challenge, 'base64url'))
  await assert.rejects(
    loginByPasskey(deps, { passkey: key.sign({ challenge: again }), from: visitor }),
    refused,
    'spent',
  )
  await signIn(key)
  deps.pass(301)
  assert.ok((await deleteExpiredCredentials(deps)) > 0)
  assert.deepEqual((await owner.query('select * from used_passkey_challenges')).rows, [])
})

test('a copied key is noticed by its counter, blocked, and reported once', async () => {
  const { merchant, key } = await merchantWithPasskey()
  await signIn(key)
  await signIn(key)
  await deps.delivered()
  const before = deps.mails.length
  await assert.rejects(signIn(key, { counter: 1 }), { reason: 'passkey_cloned' })
  await assert.rejects(signIn(key), refused, 'the original is blocked too')
  await assert.rejects(requestPasskeyAssertion(deps, merchant.session, { action: 'withdrawal' }), {
    reason: 'not_bound',
  })
  assert.deepEqual(await proofMethods(pool, (await merchantById(pool, merchant.id))!), ['email'])
  assert.equal((await listPasskeys(deps, merchant.session)).list[0]?.blocked, true)
  await deps.delivered()
  assert.equal(deps.mails.length, before + 1)
  assert.match(deps.mails.at(-1)!.text, /copy of one of your passkeys.*Laptop/s)
  const { rows } = await owner.query(`select 1 from audit_log where merchant_id = $1 and type = 'passkey_blocked'`, [
    merchant.id,
  ])
  assert.equal(rows.length, 1)
})

test('answers of one passkey that arrive in reverse order are no sign of a copy', async () => {
  const { merchant, key } = await merchantWithPasskey()
  const first = key.sign(await askPasskeySignIn(deps))
  const second = key.sign(await askPasskeySignIn(deps))
  deps.pass(2)
  await loginByPasskey(deps, { passkey: second, from: visitor })
  await assert.rejects(loginByPasskey(deps, { passkey: first, from: visitor }), refused)
  await signIn(key)
  assert.equal((await listPasskeys(deps, merchant.session)).list[0]?.blocked, false)
  await assert.rejects(signIn(key, { counter: 2 }), { reason: 'passkey_cloned' }, 'asked after the last use')
})

test('a removed key opens nothing, and what it opened ends', async () => {
  const { merchant, key } = await merchantWithPasskey()
  const second = softPasskey()
  await add(merchant, second, 'Phone')
  const { token } = await signIn(key)
  const stranger = await merchantWithPasskey()
  const remove = async (who: TestMerchant, by: SoftPasskey, id: string) =>
    removePasskey(deps, { session: who.session, id, proof: await signed(who, by, 'passkey', { id }), from: visitor })
  await assert.rejects(removePasskey(deps, { session: merchant.session, id: key.id, from: visitor }), {
    reason: 'proof_needed',
  })
  await assert.rejects(remove(stranger.merchant, stranger.key, key.id), { reason: 'passkey_not_exist' })
  const other = await signed(merchant, second, 'passkey', { id: second.id })
  await assert.rejects(
    removePasskey(deps, { session: merchant.session, id: key.id, proof: other, from: visitor }),
    refused,
  )
  await remove(merchant, second, key.id)
  await assert.rejects(authenticateSession(deps, { token, pending: false }), { reason: 'login_expired' })
  await assert.rejects(signIn(key), refused)
  await signIn(second)
})

test('an account has at most 20 passkeys; a frozen or closed one signs in with none', async () => {
  const { merchant, key } = await merchantWithPasskey()
  const sql = `insert into passkeys (person_id, realm, id, name, public_key, counter, transports, synced, created_at)
    select person_id, realm, id || n, name, public_key, counter, transports, synced, created_at
    from passkeys, generate_series(2, $2) n where person_id = $1`
  await owner.query(sql, [merchant.id, limits.passkeysMax])
  await assert.rejects(add(merchant, softPasskey()), { reason: 'limit_reached' })
  await changeMerchant(pool, merchant.id, { frozen: true })
  await assert.rejects(signIn(key), { reason: 'account_frozen' })
  await changeMerchant(pool, merchant.id, { frozen: false, deleted_at: deps.clock() })
  await assert.rejects(signIn(key), refused)
})

test('there are no passkeys at an IP address, and on this machine at its name', async () => {
  const at = (publicUrl: string) => ({ ...deps, config: { ...deps.config, publicUrl } })
  await assert.rejects(async () => askPasskeySignIn(at('https://203.0.113.7')), { reason: 'passkey_unavailable' })
  await assert.rejects(async () => askPasskeySignIn(at('https://[2001:db8::1]')), { reason: 'passkey_unavailable' })
  const here = at('http://127.0.0.1:8080')
  const local = softPasskey({ site: 'localhost', origin: 'http://localhost:8080' })
  const merchant = await testMerchant(deps)
  const proof = await mailedProof(deps, merchant.id, 20)
  const passkey = local.create(await offerPasskeyRegistration(here, merchant.session))
  await addPasskey(here, { session: merchant.session, name: 'Local', passkey, proof, from: visitor })
  await loginByPasskey(here, { passkey: local.sign(await askPasskeySignIn(here)), from: visitor })
})
