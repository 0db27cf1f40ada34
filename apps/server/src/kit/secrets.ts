import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Makes a secret of 256 random bits in base64url: session tokens, tickets, keys. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** Hashes a 256-bit secret for storage. A plain hash is enough, because such a secret cannot be guessed. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/**
 * Hashes a short code for storage. A plain hash of six digits can be brute-forced, so this one is keyed with the
 * operator's secret. `parts` bind the code to its recipient and purpose.
 */
export function hashCode(secret: string, parts: readonly (string | number)[]): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'coffer codes v1', 32))
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest()
}

/** Makes a Standard Webhooks secret: `whsec_` and 24 random bytes in base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`
