import { createHash, createPublicKey, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { PasskeyAssertion, PasskeyRegistration } from '@coffer/contract/kit/schemas.ts'
import { type Queryable, run } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { hashCode, hashSecret, newSecret } from '../../../kit/secrets.ts'
import { recordPasskeyUse, type StoredPasskey } from '../../people/passkeys.ts'
import { spendChallenge } from '../spend-challenge.ts'

/** Loaded at the first use: a server at rest saves its memory. */
const webauthn = () => import('@simplewebauthn/server')

/** The site for which passkeys are made: the relying party of WebAuthn. */
export interface PasskeySite {
  id: string
  origins: string[]
}

/**
 * What a challenge is for. A signature counts for exactly this owner, action and data, so a page must send the same
 * `data` that the verb later acts on.
 */
export interface PasskeyPurpose {
  /** Whose passkey is requested, such as `shop:<id>`; `''` for a sign-in. */
  owner: string
  action: string
  data?: Readonly<Record<string, string>> | undefined
}

/** The passkeys that may answer: those of one person or, at a sign-in, of a realm. */
export interface PasskeyStore {
  /** Finds a passkey that may be used. */
  find: (id: string) => Promise<StoredPasskey | undefined>
  /** Called for a valid signature with a counter that was used before: the key exists twice. */
  cloned: (passkey: StoredPasskey) => Promise<void>
}

/** What the kit needs of `Deps`. */
interface PasskeyDeps {
  config: { secret: string }
  clock: () => number
  pool: Queryable
}

/** Seconds for which a challenge can be answered. */
const challengeSeconds = 300
const timeout = challengeSeconds * 1_000
/** COSE algorithms: Ed25519, ES256, RS256. */
const supportedAlgorithmIDs = [-8, -7, -257]
/** Bytes of a challenge: expiry, random, hash of the purpose, authentication code. */
const parts = { expiry: 8, random: 16, purpose: 32, code: 32 }

const isSpent = run('passkey-challenge-spent', 'select 1 from used_passkey_challenges where challenge_hash = $1')

/** Deletes spent challenges that have expired. Returns their number. */
export const deleteSpentChallenges = run(
  'passkey-challenges-forget',
  'delete from used_passkey_challenges where expires_at <= $1 returning 1',
)

/**
 * Returns the site of a base URL; null for an IP address, for which browsers make no passkeys. On this machine
 * `localhost` stands in for the address.
 */
export function passkeySite(url: string): PasskeySite | null {
  const { hostname, origin } = new URL(url)
  if (/^127\.|^\[::1\]$/.test(hostname)) return { id: 'localhost', origins: [origin.replace(hostname, 'localhost')] }
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? null : { id: hostname, origins: [origin] }
}

/** Like `passkeySite`; throws Refusal('passkey_unavailable') where there can be no passkeys. */
export function requirePasskeySite(url: string): PasskeySite {
  const site = passkeySite(url)
  if (!site) throw new Refusal('passkey_unavailable')
  return site
}

/** Whether a passkey was made at another host than the site's: browsers do not offer it here. */
export const isPasskeyElsewhere = ({ host }: Pick<StoredPasskey, 'host'>, site: PasskeySite | null): boolean =>
  host !== '' && host !== site?.id

/** The refusal of a passkey that was made at another host. */
export const createElsewhereRefusal = (host: string, field?: string): Refusal =>
  new Refusal('passkey_elsewhere', {
    ...(field !== undefined && { field }),
    text: {
      en: `This passkey was made at ${host} and works there only. Go on in another way, and add a new passkey here`,
      'zh-CN': `该通行密钥在 ${host} 创建，仅可在该域名使用。请改用其他方式，并在此添加新的通行密钥`,
    },
  })

/** Returns the hash of a purpose. Fields count by name, in any order. */
function purposeHash({ owner, action, data = {} }: PasskeyPurpose): Buffer {
  const fields = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify(['coffer passkey', owner, action, fields]))
    .digest()
}

/** Makes a challenge. It is authenticated and holds its purpose and end, so nothing is stored until it is spent. */
function newChallenge(
  { config, clock }: Pick<PasskeyDeps, 'config' | 'clock'>,
  purpose: PasskeyPurpose,
): Buffer<ArrayBuffer> {
  const expiry = Buffer.alloc(parts.expiry)
  expiry.writeUIntBE(clock() + challengeSeconds, parts.expiry - 6, 6)
  const random = Buffer.from(newSecret(), 'base64url').subarray(0, parts.random)
  const body = Buffer.concat([expiry, random, purposeHash(purpose)])
  return Buffer.concat([body, codeOf(config.secret, body)])
}

const codeOf = (secret: string, body: Buffer) => hashCode(secret, ['passkey challenge', body.toString('base64url')])

/** Returns when a challenge for a purpose ends; undefined unless it is ours, for this purpose, and still valid. */
function challengeEnd({ config, clock }: PasskeyDeps, challenge: string, purpose: PasskeyPurpose): number | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== parts.expiry + parts.random + parts.purpose + parts.code) return undefined
  const body = bytes.subarray(0, -parts.code)
  if (!timingSafeEqual(codeOf(config.secret, body), bytes.subarray(-parts.code))) return undefined
  const end = Number(body.readBigUInt64BE())
  return clock() < end && body.subarray(-parts.purpose).equals(purposeHash(purpose)) ? end : undefined
}

/** Spends the challenge of a verified answer; throws Refusal('passkey_error') when it was spent before. */
async function spendAnswered(c: Queryable, challenge: string, end: number, field: string): Promise<void> {
  if (!(await spendChallenge(c, hashSecret(challenge), end))) throw new Refusal('passkey_error', { field })
}

/** Options for `navigator.credentials.create` in a browser. `user.id` is returned by the authenticator at a sign-in. */
export const registrationOptions = async (
  deps: PasskeyDeps,
  site: PasskeySite,
  {
    user,
    existing,
    purpose,
  }: { user: { id: string; name: string }; existing: StoredPasskey[]; purpose: PasskeyPurpose },
) =>
  (await webauthn()).generateRegistrationOptions({
    rpName: 'Coffer',
    rpID: site.id,
    userName: user.name,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(user.id),
    challenge: newChallenge(deps, purpose),
    timeout,
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: existing.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })

/**
 * Verifies the answer to registration options. The returned passkey is to be stored in the transaction that calls
 * `consume`. Throws Refusal('passkey_error').
 */
export async function verifyRegistration(
  deps: PasskeyDeps,
  site: PasskeySite,
  { purpose, response }: { purpose: PasskeyPurpose; response: PasskeyRegistration },
): Promise<{
  passkey: Pick<StoredPasskey, 'id' | 'public_key' | 'counter' | 'transports' | 'synced' | 'host'>
  consume: (c: Queryable) => Promise<void>
}> {
  const found = { challenge: '', end: 0 }
  const field = 'passkey'
  const wrong = () => new Refusal('passkey_error', { field })
  if (isFramed(response.response.clientDataJSON)) throw wrong()
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...browserFields(response),
      response: { ...response.response, transports: response.response.transports ?? [] },
    },
    expectedChallenge: challenge => isExpected(deps, purpose, challenge, found),
    expectedOrigin: site.origins,
    expectedRPID: site.id,
    requireUserVerification: true,
    supportedAlgorithmIDs,
  }).catch(() => {
    throw wrong()
  })
  if (!registrationInfo) throw wrong()
  const { credential, credentialBackedUp } = registrationInfo
  return {
    passkey: {
      id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      synced: credentialBackedUp,
      host: site.id,
    },
    consume: c => spendAnswered(c, found.challenge, found.end, field),
  }
}

/** Options for `navigator.credentials.get`. Without `allowed` the authenticator offers its passkeys of the site. */
export const assertionOptions = async (
  deps: PasskeyDeps,
  site: PasskeySite,
  { purpose, allowed }: { purpose: PasskeyPurpose; allowed?: StoredPasskey[] | undefined },
) =>
  (await webauthn()).generateAuthenticationOptions({
    rpID: site.id,
    challenge: newChallenge(deps, purpose),
    timeout,
    userVerification: 'required',
    ...(allowed && { allowCredentials: allowed.map(({ id, transports }) => ({ id, transports })) }),
  })

/**
 * Verifies the answer to assertion options. `consume` spends the challenge and stores the counter, in the transaction
 * of the action that the signature confirms. Throws Refusal('passkey_error'), or Refusal('passkey_cloned') for a
 * counter that was used before.
 */
export async function verifyAssertion(
  deps: PasskeyDeps,
  site: PasskeySite,
  store: PasskeyStore,
  { purpose, response, field = 'passkey' }: { purpose: PasskeyPurpose; response: PasskeyAssertion; field?: string },
): Promise<{ passkey: StoredPasskey; consume: (c: Queryable) => Promise<void> }> {
  const wrong = () => new Refusal('passkey_error', { field })
  const passkey = await store.find(response.id)
  if (passkey && isPasskeyElsewhere(passkey, site)) throw createElsewhereRefusal(passkey.host, field)
  if (!passkey || isFramed(response.response.clientDataJSON)) throw wrong()
  const found = { challenge: '', end: 0 }
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...browserFields(response), response: response.response },
    expectedChallenge: challenge => isExpected(deps, purpose, challenge, found),
    expectedOrigin: site.origins,
    expectedRPID: site.id,
    requireUserVerification: true,
    // The counter is compared below, once the signature is known to be right.
    credential: { id: passkey.id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
  }).catch(() => {
    throw wrong()
  })
  if (!verified) throw wrong()
  const { newCounter } = authenticationInfo
  if (passkey.counter > 0 && newCounter <= passkey.counter) {
    // Neither the same answer sent twice nor one requested before the last use indicates a copy: a later one overtook
    // it.
    const overtaken = found.end - challengeSeconds < (passkey.last_used ?? 0)
    if (overtaken || (await isSpent(deps.pool, hashSecret(found.challenge)))) throw wrong()
    await store.cloned(passkey)
    throw new Refusal('passkey_cloned', { field })
  }
  return {
    passkey,
    consume: async c => {
      await spendAnswered(c, found.challenge, found.end, field)
      const { person_id, id } = passkey
      if (!(await recordPasskeyUse(c, person_id, id, newCounter, deps.clock(), site.id))) throw wrong()
    },
  }
}

/**
 * The public key of a passkey as policy.json of the signer names it: SubjectPublicKeyInfo in base64url. Null for a type
 * that the signer does not take. COSE keys: RFC 9053, section 7.
 */
export async function encodeSignerKey(publicKey: Buffer): Promise<string | null> {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
  const key = decodeCredentialPublicKey(new Uint8Array(publicKey))
  const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('base64url')
  const jwk = cose.isCOSEPublicKeyEC2(key)
    ? { kty: 'EC', crv: 'P-256', x: text(key.get(cose.COSEKEYS.x)), y: text(key.get(cose.COSEKEYS.y)) }
    : cose.isCOSEPublicKeyOKP(key)
      ? { kty: 'OKP', crv: 'Ed25519', x: text(key.get(cose.COSEKEYS.x)) }
      : null
  return (
    jwk && createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'der', type: 'spki' }).toString('base64url')
  )
}

/** What browsers also return, and what does not vary. */
const browserFields = ({ id }: { id: string }) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
})

function isExpected(
  deps: PasskeyDeps,
  purpose: PasskeyPurpose,
  challenge: string,
  found: { challenge: string; end: number },
): boolean {
  const end = challengeEnd(deps, challenge, purpose)
  if (end === undefined) return false
  // Spent by its bytes: several texts of base64url stand for the same.
  Object.assign(found, { challenge: Buffer.from(challenge, 'base64url').toString('base64url'), end })
  return true
}

/** Whether a page of another origin held the page that requested it, which the browser says in the client data. */
function isFramed(clientDataJSON: string): boolean {
  try {
    const { crossOrigin, topOrigin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return crossOrigin === true || topOrigin !== undefined
  } catch {
    return true
  }
}
