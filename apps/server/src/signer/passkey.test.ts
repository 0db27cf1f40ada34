import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ethereum } from '@coffer/chains'
import { Keys } from './keys.ts'
import { computeReleaseChallenge, isPayoutReleased, type ReleasablePayout, type WebAuthnAssertion } from './passkey.ts'
import type { SignerPolicy } from './policy.ts'
import { buildSignerPolicy, readPolicy, writePolicy } from './policy-file.ts'
import type { SignRequest } from './protocol.ts'
import { SigningRecord } from './record.ts'
import { answerSignerRequest } from './service.ts'

const USDT = ethereum.tokens[0]!.contract
const [SOMEBODY, OTHER] = [`0x${'0'.repeat(38)}a1`, `0x${'0'.repeat(38)}a2`] as const
const rpId = 'pay.example'
const origin = 'https://pay.example'
const START = 1_700_000_000
const DAY = 86_400

const pairs = {
  'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  Ed25519: generateKeyPairSync('ed25519'),
}
const exported = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64url')
const passkeys = { rpId, origin, keys: Object.values(pairs).map(pair => exported(pair.publicKey)) }
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** What an authenticator returns for a challenge. */
function assertionFor(
  challenge: string,
  { privateKey = pairs['P-256'].privateKey, flags = 0x05, site = rpId, client = {} as Record<string, unknown> } = {},
): WebAuthnAssertion {
  const data = { type: 'webauthn.get', challenge, origin, crossOrigin: false, ...client }
  const clientDataJSON = Buffer.from(JSON.stringify(data))
  const authenticatorData = Buffer.concat([sha256(site), Buffer.from([flags, 0, 0, 0, 9])])
  const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
  const signature = sign(privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256', signed, privateKey)
  const text = (bytes: Buffer) => bytes.toString('base64url')
  return {
    authenticatorData: text(authenticatorData),
    clientDataJSON: text(clientDataJSON),
    signature: text(signature),
  }
}

const release: ReleasablePayout = { id: '1001:W1', chain: 'eth', token: USDT, to: SOMEBODY, amount: '90000000' }

test('accepts the assertion of each kind of key for exactly one payout', () => {
  for (const { privateKey } of Object.values(pairs)) {
    const assertion = assertionFor(computeReleaseChallenge(release), { privateKey })
    assert.equal(isPayoutReleased(release, assertion, passkeys), true)
    for (const other of [
      { id: '1001:W2' },
      { chain: 'bsc' },
      { token: null },
      { to: OTHER },
      { amount: '90000001' },
    ] as Partial<ReleasablePayout>[])
      assert.equal(isPayoutReleased({ ...release, ...other }, assertion, passkeys), false, JSON.stringify(other))
  }
})

test('refuses assertions of other keys, sites, origins and ceremonies, and without a person', () => {
  const challenge = computeReleaseChallenge(release)
  const wrong: [string, Parameters<typeof assertionFor>[1]][] = [
    ['another key', { privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['another site', { site: 'evil.example' }],
    ['another origin', { client: { origin: 'https://evil.example' } }],
    ['a frame of another site', { client: { crossOrigin: true } }],
    ['a frame that names the page around it', { client: { topOrigin: 'https://evil.example' } }],
    ['the creation of a key', { client: { type: 'webauthn.create' } }],
    ['a person who was not verified', { flags: 0x01 }],
    ['a person who was not present', { flags: 0x04 }],
  ]
  for (const [name, options] of wrong)
    assert.equal(isPayoutReleased(release, assertionFor(challenge, options), passkeys), false, name)
  const good = assertionFor(challenge)
  for (const field of ['authenticatorData', 'clientDataJSON', 'signature'] as const)
    for (const value of ['', 'AAAA', good.signature])
      if (value !== good[field])
        assert.equal(isPayoutReleased(release, { ...good, [field]: value }, passkeys), false, field)
  assert.equal(isPayoutReleased(release, good, { ...passkeys, keys: ['AAAA'] }), false)
})

const limits = { token: { single: 1_000, daily: 5_000 }, native: { single: 1, daily: 2 }, daily: null }
const base = buildSignerPolicy([ethereum], limits)
const eth = { ...base.chains.eth!, passkeys: { ...passkeys, above: { [USDT]: 50_000_000n }, aboveInAll: {} } }
const policy: SignerPolicy = { daily: null, chains: { eth } }
const keys = new Keys(new Uint8Array(64).fill(7))

function signer(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-signer-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'signed.jsonl')
  let now = START
  let record = new SigningRecord(path, now)
  return {
    restartAfter: (seconds: number) => {
      now += seconds
      record.close()
      record = new SigningRecord(path, now)
    },
    sign: async (request: SignRequest) => {
      const line = JSON.stringify({ id: 1, op: 'sign', request })
      const reply = await answerSignerRequest({ keys, policy, record, now: () => now }, line)
      return 'refused' in reply ? reply.refused : 'signed'
    },
    ask: async (op: string, of = policy) =>
      answerSignerRequest({ keys, policy: of, record, now: () => now }, JSON.stringify({ id: 1, op })),
  }
}

const terms = { chain: 'eth', nonce: 0, gas: '80000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1000000000' }
const transfer = { kind: 'transfer' as const, ...terms, token: USDT, to: SOMEBODY, index: null, amount: '90000000' }
const released = (id: string, to: string = SOMEBODY, amount = '90000000') => ({
  id,
  ...assertionFor(computeReleaseChallenge({ id, chain: 'eth', token: USDT, to, amount })),
})

test('signs a payout above the limit only with a release, once', async t => {
  const { sign, restartAfter } = signer(t)
  assert.equal(await sign(transfer), 'passkey_required')
  assert.equal(await sign({ ...transfer, amount: '50000001' }), 'passkey_required')
  assert.equal(await sign({ ...transfer, release: released('W1', OTHER) }), 'passkey_invalid')
  assert.equal(await sign({ ...transfer, release: { ...released('W1'), id: 'W2' } }), 'passkey_invalid')
  const release = released('W1')
  assert.equal(await sign({ ...transfer, release }), 'signed')
  assert.equal(await sign({ ...transfer, release, maxFeePerGas: '40000000000' }), 'signed')
  assert.equal(await sign({ ...transfer, maxFeePerGas: '40000000000' }), 'passkey_required')
  assert.equal(await sign({ ...transfer, nonce: 1, release }), 'passkey_used')
  restartAfter(400 * DAY)
  assert.equal(await sign({ ...transfer, nonce: 2, release }), 'passkey_used')
  assert.equal(await sign({ ...transfer, nonce: 2, amount: '50000000' }), 'signed')
})

test('each large payment of a batch needs a release of its own', async t => {
  const { sign } = signer(t)
  const small = { to: OTHER, amount: '50000000' }
  const large = { to: SOMEBODY, amount: '90000000' }
  const pay = (payments: Extract<SignRequest, { kind: 'batch' }>['payments'], nonce = 0) =>
    sign({ kind: 'batch', ...terms, nonce, token: USDT, payments })
  assert.equal(await pay([small, large]), 'passkey_required')
  assert.equal(await pay([small, { ...large, release: released('W1') }, large]), 'passkey_required')
  const one = { ...large, release: released('W1') }
  assert.equal(await pay([one, one]), 'passkey_used')
  assert.equal(await pay([small, one, { ...large, release: released('W2') }]), 'signed')
  assert.equal(await pay([{ ...large, release: released('W2') }], 1), 'passkey_used')
})

test('a release lifts no other limit', async t => {
  const { sign } = signer(t)
  const amount = '1000000001'
  assert.equal(await sign({ ...transfer, amount, release: released('W1', SOMEBODY, amount) }), 'too_large')
})

test('says of which site the passkeys are that release payouts', async t => {
  const { ask } = signer(t)
  assert.deepEqual(await ask('releaseSites'), { id: 1, result: [{ chain: 'eth', rpId, origin, keys: 2 }] })
  assert.deepEqual(await ask('releaseSites', base), { id: 1, result: [] })
})

test('reads passkeys from the policy file, and refuses a key that is none', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-policy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'policy.json')
  await writePolicy(path, policy)
  assert.deepEqual(await readPolicy(path), policy)
  const p384 = exported(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey)
  for (const key of [p384, 'AAAA', '']) {
    const eth = { ...policy.chains.eth!, passkeys: { ...policy.chains.eth!.passkeys!, keys: [key] } }
    await writePolicy(path, { daily: null, chains: { eth } })
    await assert.rejects(readPolicy(path), /invalid at eth.passkeys.keys.0/)
  }
})
