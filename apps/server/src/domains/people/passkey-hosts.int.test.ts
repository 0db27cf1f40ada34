import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ProofAction } from '@coffer/contract/codes.ts'
import { until } from '@coffer/local/testing/until.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { call } from '../../testing/call.ts'
import { withDeps } from '../../testing/deps.ts'
import { visitor as from, mailedProof, ownerOf, type TestMerchant, testMerchant } from '../../testing/merchants.ts'
import { testOperator } from '../../testing/operators.ts'
import { type SoftPasskey, softPasskey } from '../../testing/passkeys.ts'
import {
  addPasskey,
  askPasskeySignIn,
  listPasskeys,
  loginByPasskey,
  offerPasskeyRegistration,
  requestPasskeyAssertion,
} from '../identity/factors/passkeys.ts'
import { setConfirmationMethod } from '../identity/factors/set-confirmation-method.ts'
import { warnOfPasskeysElsewhere } from '../identity/passkeys/describe-elsewhere.ts'
import { checkProof, exchangeProofForTicket, offeredMethods, type Proof } from '../identity/proofs/check-proof.ts'
import { identityHandlers } from '../identity/routes.ts'
import { authenticateSession } from '../identity/sessions/sessions.ts'
import { merchantById } from '../merchants/store.ts'
import {
  addPasskey as addOperatorPasskey,
  askPasskeySignIn as askOperatorSignIn,
  listPasskeys as listOperatorPasskeys,
  offerPasskey,
  signInByPasskey,
} from '../operators/passkeys.ts'
import { authenticateOperatorSession } from '../operators/sessions.ts'
import { readMailboxCoolDown } from '../policies/policy.ts'
import { savePolicy } from '../policies/save-policy.ts'

const deps = await withDeps(
  { after },
  { config: { publicUrl: 'https://old.example', operatorUrl: 'https://old.example' } },
)
/** The same server once it has moved. */
const moved = {
  ...deps,
  config: { ...deps.config, publicUrl: 'https://new.example', operatorUrl: 'https://new.example' },
}
const keyOf = (host: string) => softPasskey({ site: host, origin: `https://${host}` })
const elsewhere = (error: { reason?: string; text?: Record<string, string> }) =>
  error.reason === 'passkey_elsewhere' &&
  Object.values(error.text ?? {}).every(text => text.includes('old.example') && !text.includes('new.example'))

async function add(merchant: TestMerchant, key: SoftPasskey, at = deps) {
  const passkey = key.create(await offerPasskeyRegistration(at, merchant.session))
  const proof = await mailedProof(at, merchant.id, 20)
  const { token } = await addPasskey(at, { session: merchant.session, name: 'Key', passkey, proof, from })
  merchant.session.tokenHash = (await authenticateSession(deps, { token, pending: false })).tokenHash
  deps.pass(61)
}

const hosts = async (at: typeof deps, { session }: TestMerchant) =>
  (await listPasskeys(at, session)).list.map(each => ('host' in each ? each.host : null))

test('a merchant’s passkey of a former host is marked, refused by name, and works there again', async () => {
  const merchant = await testMerchant(deps)
  const key = keyOf('old.example')
  await add(merchant, key)
  assert.deepEqual(await hosts(deps, merchant), [null], 'nothing is foreign before the move')
  assert.equal('moved' in (await askPasskeySignIn(deps)), false)
  assert.deepEqual(await hosts(moved, merchant), ['old.example'])
  const options = await askPasskeySignIn(moved)
  assert.equal('moved' in options && options.moved, true)
  assert.ok(!JSON.stringify(options).includes('old.example'), 'strangers are told no host')

  for (const by of [{}, { site: 'new.example', origin: 'https://new.example' }])
    await assert.rejects(loginByPasskey(moved, { passkey: key.sign(options, by), from }), elsewhere)
  await assert.rejects(requestPasskeyAssertion(moved, merchant.session, { action: 'withdrawal' }), elsewhere)
  const assertion = key.sign(await requestPasskeyAssertion(deps, merchant.session, { action: 'withdrawal' }))
  const proof = { method: 'passkey', assertion } as const
  await assert.rejects(checkProof(moved, { by: ownerOf(merchant.id), proof, action: 'withdrawal' }), elsewhere)

  const next = keyOf('new.example')
  await add(merchant, next, moved)
  assert.deepEqual(await hosts(moved, merchant), ['old.example', null])
  const asked = await requestPasskeyAssertion(moved, merchant.session, { action: 'withdrawal' })
  assert.deepEqual(
    asked.allowCredentials?.map(each => each.id),
    [next.id],
  )
  await loginByPasskey(moved, { passkey: next.sign(await askPasskeySignIn(moved)), from })

  assert.deepEqual(await hosts(deps, merchant), [null, 'new.example'], 'moved back')
  await loginByPasskey(deps, { passkey: key.sign(await askPasskeySignIn(deps)), from })
})

/** Chooses what confirms withdrawals after the move. */
const choose = (merchant: TestMerchant, method: 'passkey' | null, proof: Proof, at = moved) =>
  setConfirmationMethod(at, { session: merchant.session, group: 'withdrawal', method, proof, from })

const mailedFor = (merchant: TestMerchant, purpose: number) => {
  deps.pass(61)
  return mailedProof(deps, merchant.id, purpose)
}

test('whoever chose that only passkeys confirm is not confirmed by a mailbox because the server moved', async () => {
  const merchant = await testMerchant(deps)
  const { id, session } = merchant
  await add(merchant, keyOf('old.example'))
  await choose(merchant, 'passkey', await mailedFor(merchant, 23), deps)
  const offered = async (action: ProofAction) =>
    (await offeredMethods(moved, deps.pool, (await merchantById(deps.pool, id))!, action)).join()
  assert.deepEqual([await offered('withdrawal'), await offered('transfer')], ['', 'email'])
  const by = ownerOf(id)
  for (const at of [deps, moved]) {
    const proof = await mailedFor(merchant, 8)
    await assert.rejects(checkProof(at, { by, proof, action: 'withdrawal' }), { reason: 'proof_needed' })
    const input = { by, proof, action: 'withdrawal' } as const
    await assert.rejects(exchangeProofForTicket(at, input), { reason: 'proof_needed' })
  }
  await assert.rejects(choose(merchant, null, await mailedFor(merchant, 23)), { reason: 'security_stronger' })

  // The way on is that of whoever lost a passkey: another one, which holds money and is reported.
  await deps.delivered()
  const before = deps.mails.length
  const next = keyOf('new.example')
  await add(merchant, next, moved)
  assert.equal((await merchantById(deps.pool, id))!.factor_changed_at, deps.clock() - 61)
  await deps.delivered()
  assert.match(
    deps.mails
      .slice(before)
      .map(each => each.text)
      .join(),
    /A passkey was added/,
  )
  assert.equal(await offered('withdrawal'), 'passkey')
  const assertion = next.sign(await requestPasskeyAssertion(moved, session, { action: 'withdrawal' }))
  await checkProof(moved, { by, proof: { method: 'passkey', assertion }, action: 'withdrawal' })
})

test('a passkey of another host is no second factor, and nothing new can be bound to it', async () => {
  const merchant = await testMerchant(deps)
  await add(merchant, keyOf('old.example'))
  const row = (await merchantById(deps.pool, merchant.id))!
  const holding = { withdrawHoldHours: 24 }
  const coolDown = (at: typeof deps) =>
    readMailboxCoolDown({ config: { ...at.config, ...holding } }, deps.pool, row, merchant.id)
  assert.deepEqual([await coolDown(deps), await coolDown(moved)], [0, 86_400])
  await assert.rejects(choose(merchant, 'passkey', await mailedFor(merchant, 23)), elsewhere)
  const rules = [{ kind: 'fresh_factor' as const, above: '1', within: 300 }]
  await assert.rejects(savePolicy(moved, { merchantId: merchant.id, rules, from }), elsewhere)
  const info = async (at: typeof deps) => call(identityHandlers, 'GET /api/v1/user/info', at, merchant.id)
  assert.equal('passkeys_host' in (await info(deps)), false)
  const { passkeys_host, security_switch } = await info(moved)
  assert.deepEqual([passkeys_host, security_switch], ['old.example', ['passkey', 'email']])
  await add(merchant, keyOf('new.example'), moved)
  assert.equal('passkeys_host' in (await info(moved)), false)
})

test('a start counts passkeys of other hosts, also while the signer does not answer', async () => {
  await add(await testMerchant(deps), keyOf('old.example'))
  const lines: string[] = []
  const log = { ...deps.log, warn: (line: string) => lines.push(line), error: assert.fail } as unknown as Deps['log']
  await warnOfPasskeysElsewhere({ ...deps, config: { ...moved.config, operatorPort: 8081 }, log })
  await until('counted', () => lines.length > 0)
  assert.match(
    lines.join(),
    /passkeys? of \d+ merchants? w(as|ere) made at old\.example and do(es)? not work at new\.example/,
  )
})

test('an operator’s passkey of a former host is marked and refused by name', async () => {
  const operator = await testOperator(deps, 'finance')
  const session = await authenticateOperatorSession(deps, { token: operator.token, pending: false })
  const key = keyOf('old.example')
  await addOperatorPasskey(deps, { session, name: 'Key', passkey: key.create(await offerPasskey(deps, session)) })
  const [here] = (await listOperatorPasskeys(deps, session)).list
  const [there] = (await listOperatorPasskeys(moved, session)).list
  assert.deepEqual([here && 'host' in here, there && 'host' in there && there.host], [false, 'old.example'])
  assert.equal('moved' in (await askOperatorSignIn(deps)), false)
  const options = await askOperatorSignIn(moved)
  assert.equal('moved' in options && options.moved, true)
  await assert.rejects(signInByPasskey(moved, { passkey: key.sign(options), from }), elsewhere)
  assert.ok((await signInByPasskey(deps, { passkey: key.sign(await askOperatorSignIn(deps)), from })).token)
})

test('where an older passkey was made is learnt at its next use, and then never changes', async () => {
  const merchant = await testMerchant(deps)
  const key = keyOf('old.example')
  await add(merchant, key)
  await deps.owner.query(`update passkeys set host = '' where id = $1`, [key.id])
  assert.deepEqual(await hosts(moved, merchant), [null], 'not known')
  await assert.rejects(loginByPasskey(moved, { passkey: key.sign(await askPasskeySignIn(moved)), from }), {
    reason: 'passkey_error',
  })
  assert.deepEqual(await hosts(moved, merchant), [null], 'a refused one says nothing')
  await loginByPasskey(deps, { passkey: key.sign(await askPasskeySignIn(deps)), from })
  assert.deepEqual(await hosts(moved, merchant), ['old.example'])
  for (const host of ['', 'new.example'])
    await assert.rejects(
      tx(deps.pool, c => c.query('update passkeys set host = $2 where id = $1', [key.id, host])),
      { code: '42501' },
      host,
    )
})
