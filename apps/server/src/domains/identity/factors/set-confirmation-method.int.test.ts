import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ProofAction, SecurityChoice, SecurityGroup } from '@coffer/contract/codes.ts'
import { withDeps } from '../../../testing/deps.ts'
import {
  changeTestMerchant,
  codeIn,
  mailedProof,
  ownerOf,
  type TestMerchant,
  testAuthenticator,
  testMerchant,
  visitor,
} from '../../../testing/merchants.ts'
import { type SoftPasskey, softPasskey } from '../../../testing/passkeys.ts'
import { merchantById } from '../../merchants/store.ts'
import { deletePasskeys, insertPasskey } from '../../people/passkeys.ts'
import { sendPhoneCode } from '../codes/send-code.ts'
import { verifyRegistration } from '../passkeys/webauthn.ts'
import { checkProof, exchangeProofForTicket, type Proof, proofMethods } from '../proofs/check-proof.ts'
import { offerPasskeyRegistration, requestPasskeyAssertion } from './passkeys.ts'
import { setConfirmationMethod } from './set-confirmation-method.ts'

const deps = await withDeps({ after }, { config: { publicUrl: 'https://pay.example' } })
const { pool, owner } = deps
const from = visitor
const weak = { reason: 'security_stronger' }

async function addPasskey(merchant: TestMerchant): Promise<SoftPasskey> {
  const key = softPasskey()
  const purpose = { owner: `shop:${merchant.id}`, action: 'passkey-new' }
  const site = { id: 'pay.example', origins: ['https://pay.example'] }
  const response = key.create(await offerPasskeyRegistration(deps, merchant.session))
  const { passkey } = await verifyRegistration(deps, site, { purpose, response })
  await insertPasskey(
    owner,
    merchant.id,
    passkey.id,
    'Key',
    passkey.public_key,
    passkey.counter,
    [],
    false,
    deps.clock(),
    passkey.host,
  )
  return key
}

const choose = (merchant: TestMerchant, group: SecurityGroup, method: SecurityChoice | null, proof?: Proof) =>
  setConfirmationMethod(deps, { session: merchant.session, group, method, proof, from })
const mailed = async ({ id }: TestMerchant, purpose = 23) => {
  deps.pass(61)
  return mailedProof(deps, id, purpose)
}
const signed = async (merchant: TestMerchant, key: SoftPasskey, group: SecurityGroup): Promise<Proof> => {
  deps.pass(2)
  const requested = { action: 'security-switch' as const, data: { group } }
  return { method: 'passkey', assertion: key.sign(await requestPasskeyAssertion(deps, merchant.session, requested)) }
}
const methods = async ({ id }: TestMerchant, action?: ProofAction) =>
  (await proofMethods(pool, (await merchantById(pool, id))!, action)).join()

test('a choice holds for the actions of its group, and never for those on factors', async () => {
  const merchant = await testMerchant(deps)
  const key = await addPasskey(merchant)
  await choose(merchant, 'withdrawal', 'passkey', await mailed(merchant))
  const held = await Promise.all(
    (['withdrawal', 'transfer', 'application', 'passkey', 'google-auth', 'security-switch'] as const).map(
      async action => [action, await methods(merchant, action)],
    ),
  )
  assert.deepEqual(Object.fromEntries(held), {
    withdrawal: 'passkey',
    transfer: 'passkey,email',
    application: 'passkey,email',
    passkey: 'passkey,email',
    'google-auth': 'passkey,email',
    'security-switch': 'passkey,email',
  })
  const proof = await mailed(merchant, 8)
  const requested = { by: ownerOf(merchant.id), proof, action: 'withdrawal' as const }
  await assert.rejects(checkProof(deps, requested), { reason: 'proof_needed' })
  await assert.rejects(exchangeProofForTicket(deps, requested), { reason: 'proof_needed' })
  await choose(merchant, 'money', 'passkey', await signed(merchant, key, 'money'))
  assert.equal(await methods(merchant, 'address-book'), 'passkey')
  // Nobody is locked out who lost the passkey: removed, it leaves what else there is.
  await deletePasskeys(owner, merchant.id)
  assert.equal(await methods(merchant, 'withdrawal'), 'email')
})

test('accepting more needs a method that is accepted now, and is mailed', async () => {
  const merchant = await testMerchant(deps)
  const key = await addPasskey(merchant)
  await assert.rejects(choose(merchant, 'withdrawal', 'passkey'), { reason: 'proof_needed' })
  const ticketFor = async () => {
    const proof = await mailed(merchant)
    const { ticket } = await exchangeProofForTicket(deps, {
      by: ownerOf(merchant.id),
      proof,
      action: 'security-switch',
    })
    return { method: 'ticket', code: ticket } as const
  }
  await choose(merchant, 'withdrawal', 'passkey', await ticketFor())
  await deps.delivered()
  assert.match(deps.mails.at(-1)!.text, /now need stricter confirmation.*withdrawals and refunds/s)
  for (const method of [null, 'email'] as const) {
    await assert.rejects(choose(merchant, 'withdrawal', method, await mailed(merchant)), weak)
    await assert.rejects(choose(merchant, 'withdrawal', method, await ticketFor()), weak)
  }
  const other = await signed(merchant, key, 'money')
  await assert.rejects(
    choose(merchant, 'withdrawal', null, other),
    { reason: 'passkey_error' },
    'signed for another group',
  )
  await choose(merchant, 'withdrawal', null, await signed(merchant, key, 'withdrawal'))
  await deps.delivered()
  assert.match(deps.mails.at(-1)!.text, /More methods can now confirm actions/)
  const { rows } = await owner.query(
    `select type, subject from audit_log where merchant_id = $1 and type like 'security%' order by seq`,
    [merchant.id],
  )
  assert.deepEqual(rows, [
    { type: 'security_tightened', subject: 'withdrawal passkey' },
    { type: 'security_loosened', subject: 'withdrawal' },
  ])
})

test('one channel of codes can be chosen while it confirms; a bound authenticator replaces both until a phone is chosen', async () => {
  const merchant = await testMerchant(deps, { phone: '5551000', area_code: '1', phone_verified: true })
  const byPhone = async (): Promise<Proof> => {
    deps.pass(61)
    await sendPhoneCode(deps, {
      purpose: 3,
      phone: undefined,
      area_code: undefined,
      session: ownerOf(merchant.id),
      from,
    })
    return { method: 'phone', code: codeIn(deps.texts.at(-1)) }
  }
  await assert.rejects(choose(merchant, 'withdrawal', 'passkey', await mailed(merchant)), { reason: 'not_bound' })
  await assert.rejects(choose(merchant, 'money', 'phone', await mailed(merchant)), { reason: 'not_bound' })
  await choose(merchant, 'withdrawal', 'phone', await mailed(merchant))
  assert.equal(await methods(merchant, 'withdrawal'), 'phone')
  await assert.rejects(choose(merchant, 'withdrawal', 'email', await mailed(merchant)), weak)
  await choose(merchant, 'withdrawal', 'email', await byPhone())
  assert.equal(await methods(merchant, 'withdrawal'), 'email')
  const app = await testAuthenticator(deps, merchant.id)
  assert.equal(await methods(merchant, 'withdrawal'), 'google')
  // A bound phone confirms once it is chosen, which the authenticator must confirm; the mailbox never does beside it.
  const { code } = app
  const byApp = (): Proof => {
    deps.pass(31)
    return { method: 'google', code: code() }
  }
  await assert.rejects(choose(merchant, 'withdrawal', 'phone', await byPhone()), { reason: 'proof_needed' })
  await assert.rejects(choose(merchant, 'withdrawal', 'email', byApp()), { reason: 'not_bound' })
  await assert.rejects(choose(merchant, 'money', 'phone', byApp()), { reason: 'not_bound' })
  await choose(merchant, 'withdrawal', 'phone', byApp())
  assert.equal(await methods(merchant, 'withdrawal'), 'phone')
  assert.equal(await methods(merchant, 'transfer'), 'google')
  assert.equal(await methods(merchant, 'security-switch'), 'google')
  await changeTestMerchant(owner, merchant.id, { phone_verified: false })
  assert.equal(await methods(merchant, 'withdrawal'), 'google', 'a phone that was unbound leaves the authenticator')
  await changeTestMerchant(owner, merchant.id, {
    phone_verified: true,
    authenticator_secret: null,
    security_switch: {},
  })
  await choose(merchant, 'withdrawal', null, await mailed(merchant))
  assert.equal(await methods(merchant, 'withdrawal'), 'email,phone')
})
