import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

/** A large payout, as the person who releases it sees it. Addresses are in stored form, the amount is in base units. */
export type ReleasablePayout = { id: string; chain: string; token: string | null; to: string; amount: string }

/** A WebAuthn assertion; all values are in base64url. */
export type WebAuthnAssertion = { authenticatorData: string; clientDataJSON: string; signature: string }

/** Passkeys that can release payouts, for the site at which they were created. */
export type ReleasePasskeys = {
  /** The relying party's id: the host of the back-office, without the port. */
  rpId: string
  /** The origin of the back-office, such as `https://pay.example`. */
  origin: string
  /** Public keys (P-256 or Ed25519) as SubjectPublicKeyInfo in base64url, which browsers return by `getPublicKey()`. */
  keys: string[]
}

/** Bits of the authenticator's flags: a person was present, and proved to be the owner of the key. */
const PRESENT_AND_VERIFIED = 0x05
const HASH_BYTES = 32

/** The challenge that a passkey signs to release a payout, in base64url. */
export function computeReleaseChallenge({ id, chain, token, to, amount }: ReleasablePayout): string {
  const text = JSON.stringify(['coffer payout', id, chain, token, to, amount])
  return sha256(text).toString('base64url')
}

/** Whether one of the passkeys signed exactly this payout (WebAuthn, section 7.2). */
export function isPayoutReleased(
  release: ReleasablePayout,
  assertion: WebAuthnAssertion,
  { rpId, origin, keys }: ReleasePasskeys,
): boolean {
  const clientData = Buffer.from(assertion.clientDataJSON, 'base64url')
  const authenticator = Buffer.from(assertion.authenticatorData, 'base64url')
  const client = parse(clientData)
  const isForUs =
    client.type === 'webauthn.get' &&
    client.challenge === computeReleaseChallenge(release) &&
    client.origin === origin &&
    client.crossOrigin !== true &&
    client.topOrigin === undefined
  if (!isForUs || authenticator.length < HASH_BYTES + 5) return false
  if (!authenticator.subarray(0, HASH_BYTES).equals(sha256(rpId))) return false
  if ((authenticator[HASH_BYTES]! & PRESENT_AND_VERIFIED) !== PRESENT_AND_VERIFIED) return false
  const signed = Buffer.concat([authenticator, sha256(clientData)])
  const signature = Buffer.from(assertion.signature, 'base64url')
  return keys.some(text => {
    const key = parsePasskeyPublicKey(text)
    if (!key) return false
    return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', signed, key, signature)
  })
}

/** Reads a public key. Returns null if it is none, or of another type. */
export function parsePasskeyPublicKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'spki' })
    const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
    return isP256 || key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

function parse(json: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(json.toString('utf8')))
  } catch {
    return {}
  }
}
