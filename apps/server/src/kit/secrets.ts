import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** 256 random bits as text that fits a header: session tokens, tickets, keys. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** How long random secrets are stored: nobody can guess what has 256 bits, so a plain hash is enough. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/**
 * How short codes are stored: six digits could be tried one by one against a plain hash, so this one needs the operator's
 * secret. `parts` bind the code to where it went and what it is for.
 */
export function hashCode(secret: string, parts: readonly (string | number)[]): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'coffer codes v1', 32))
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest()
}
