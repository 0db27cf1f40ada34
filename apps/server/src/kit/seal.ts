import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Every column with sealed texts, as `<table>.<column>`: the column whose value binds a seal to its row, and the column
 * for which it was sealed if it was copied from there. `null` where rows expire within days, or none are stored: they
 * are not sealed again when the secret is rotated.
 */
export const sealedColumns = {
  'alert_hooks.previous_secret': { key: 'id', place: 'alert_hooks.secret' },
  'alert_hooks.secret': { key: 'id', place: 'alert_hooks.secret' },
  'applications.previous_webhook_secret': { key: 'appid', place: 'applications.webhook_secret' },
  'applications.webhook_secret': { key: 'appid', place: 'applications.webhook_secret' },
  'idempotency.answer': null,
  'message_channels.address': { key: 'id', place: 'message_channels.address' },
  'message_channels.secret': { key: 'id', place: 'message_channels.secret' },
  'persons.authenticator_offer': null,
  'persons.authenticator_secret': { key: 'id', place: 'persons.authenticator_secret' },
  'shop_connections.key': { key: 'id', place: 'shop_connections.key' },
  'shop_connections.previous_key': { key: 'id', place: 'shop_connections.key' },
  'shop_connections.private_key': { key: 'id', place: 'shop_connections.private_key' },
  'shop_connections.webhook_secret': { key: 'id', place: 'shop_connections.webhook_secret' },
  'webhook_endpoints.secret': { key: 'id', place: 'webhook_endpoints.secret' },
  'webhook_endpoints.previous_secret': { key: 'id', place: 'webhook_endpoints.secret' },
  'push_keys.private_key': { key: 'public_key', place: 'push_keys.private_key' },
} as const

/** Where a column's texts were before they moved with their rows: what was sealed there opens at the new place, too. */
const formerColumns: Partial<Record<keyof typeof sealedColumns, readonly string[]>> = {
  'persons.authenticator_secret': ['operators.authenticator_secret', 'merchants.authenticator_secret'],
}

/** The place of a sealed text: its column, and the key of its row. A seal opens only at its own place. */
export interface SealPlace {
  column: keyof typeof sealedColumns
  row: string
}

/**
 * Encrypts short secrets that must be recoverable, such as webhook secrets: AES-256-GCM with the place as additional
 * data, `v2.<key id>.` + base64url. Version 1 (`v1.`) named neither key nor place; it is still opened until it is
 * sealed again.
 */
export interface Seal {
  /** Id of the key that seals, 16 hex digits. It reveals nothing about the secret. */
  keyId: string
  /** Ids of all keys that open. */
  keyIds: string[]
  seal: (text: string, place: SealPlace) => string
  /** Throws if the text was sealed with an unknown key, at another place, or tampered with. */
  open: (sealed: string, place: SealPlace) => string
  /** Whether the text was sealed in the current form with the current key. */
  isCurrent: (sealed: string) => boolean
}

interface Key {
  id: string
  v1: Buffer
  v2: Buffer
}

/** Derives the keys of an operator's secret (HKDF-SHA256, RFC 5869). */
function keyOf(secret: string): Key {
  const derive = (info: string, length: number) => Buffer.from(hkdfSync('sha256', secret, '', info, length))
  return {
    id: derive('coffer seal key id', 8).toString('hex'),
    v1: derive('coffer seal v1', 32),
    v2: derive('coffer seal v2', 32),
  }
}

/** Makes a seal that seals with the operator's secret and also opens what `previous` secrets sealed. */
export function makeSeal(secret: string, ...previous: string[]): Seal {
  const keys = [secret, ...previous].map(keyOf) as [Key, ...Key[]]
  const [current] = keys
  return {
    keyId: current.id,
    keyIds: keys.map(key => key.id),
    seal: (text, place) => `v2.${current.id}.${encrypt(current.v2, text, place)}`,
    open(sealed, place) {
      const [version, id, body] = sealed.split('.')
      if (version === 'v2' && id !== undefined && body !== undefined) {
        const key = keys.find(each => each.id === id)
        if (!key) throw new Error(`sealed with the unknown key ${id}`)
        return openAtAny(key.v2, body, place)
      }
      if (version !== 'v1' || id === undefined) throw new Error('not a sealed text')
      return openWithAny(keys, id)
    },
    isCurrent: sealed => sealed.startsWith(`v2.${current.id}.`),
  }
}

function openWithAny(keys: Key[], body: string): string {
  for (const key of keys.slice(0, -1)) {
    try {
      return decrypt(key.v1, body)
    } catch {
      // Version 1 does not name its key: try the next one.
    }
  }
  return decrypt(keys.at(-1)!.v1, body)
}

/** Opens at the place, or at a former one of the same row. */
function openAtAny(key: Buffer, body: string, { column, row }: SealPlace): string {
  for (const former of formerColumns[column] ?? []) {
    try {
      return decrypt(key, body, { column: former, row })
    } catch {
      // Sealed after the move, or at a place that is none of these.
    }
  }
  return decrypt(key, body, { column, row })
}

const additionalData = ({ column, row }: { column: string; row: string }) => Buffer.from(`${column} ${row}`)

function encrypt(key: Buffer, text: string, place: SealPlace): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(additionalData(place))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

function decrypt(key: Buffer, sealed: string, place?: { column: string; row: string }): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
  if (place) decipher.setAAD(additionalData(place))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}
