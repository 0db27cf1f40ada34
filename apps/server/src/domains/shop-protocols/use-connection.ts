import { createHash, timingSafeEqual } from 'node:crypto'
import type { ShopProtocol } from '@coffer/contract/codes/shops.ts'
import { applicationStatus } from '@coffer/contract/codes.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { mustBeWhitelisted } from '../applications/authenticate-key.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import type { CreatePaymentInput } from '../payments/create-payment.ts'
import { rememberRequestCaller } from './record-shop-refusals.ts'
import {
  connectionKeySealPlace,
  connectionOfKey,
  connectionPrivateKeySealPlace,
  markConnectionKeyUsed,
  type ShopConnection,
  shopWebhookSecretSealPlace,
  usableConnection,
} from './store.ts'

/** A shop's connection while it is used: who it is, and the keys that are valid, the current one first. */
export interface ShopCaller {
  connection: ShopConnection
  paymentMode: number
  pricing: NonNullable<CreatePaymentInput['pricing']>
  /** Whether the application lets its key refund, and since when; a shop's key never may without. */
  payouts: { mayRefund: boolean; openedAt: number }
  /** Refuses an address that the application's whitelist lacks. */
  mustBeListed: (ip: string) => void
  keys: string[]
  publicKeys: string[]
}

interface Attempt {
  /** What a refusal names. */
  field: string
  request?: FastifyRequest | undefined
}

/** The same answer for an unknown id and for a wrong signature or key. */
export const createSignatureRefusal = (field: string) =>
  new Refusal('bad_key', {
    field,
    detail: { en: `${field} does not match the id and its key`, 'zh-CN': `${field} 与商户 ID 及密钥不符` },
  })

/**
 * Finds the connection of an id. The caller must check `keys` before anything is revealed or changed. Refusals of the
 * `request`, where there is one of the shop, are noted with the connection.
 */
export async function findConnection(
  deps: Deps,
  { id, protocol, field, request }: Attempt & { protocol: readonly ShopProtocol[]; id: string },
): Promise<ShopCaller & { checkUse: (key?: string) => Promise<void> }> {
  const row = /^\d{9,10}$/.test(id) ? await usableConnection(deps.pool, id) : undefined
  if (!row || !protocol.includes(row.protocol)) throw createSignatureRefusal(field)
  const note = (isProven: boolean) =>
    request && rememberRequestCaller(request, { id, protocols: [row.protocol], isProven })
  note(false)
  const { merchant_status, frozen, application_status, payment_mode, rates, rates_version, ...others } = row
  const { refunds_allowed: mayRefund, opened_at: openedAt, ip_whitelist_enabled, ip_whitelist, ...connection } = others
  const overlaps = row.previous_until > deps.clock()
  const open = (sealed: string) => deps.seal.open(sealed, connectionKeySealPlace(row.id))
  const keys = [open(row.key), ...(overlaps && row.previous_key ? [open(row.previous_key)] : [])]
  const publicKeys = [row.shop_public_key, overlaps ? row.previous_public_key : ''].filter(Boolean)
  return {
    connection,
    paymentMode: payment_mode,
    pricing: { rates, version: rates_version },
    payouts: { mayRefund, openedAt },
    mustBeListed: ip => mustBeWhitelisted({ ip_whitelist_enabled, ip_whitelist }, ip),
    keys,
    publicKeys,
    /**
     * Refuses a shop that may not be served now, once its signature or key was right. Given the key that it used, notes
     * that it knows the current one.
     */
    async checkUse(key) {
      note(true)
      requireActiveMerchant({ status: merchant_status, frozen }, { approved: true })
      if (application_status !== applicationStatus.enabled) throw new Refusal('application_disabled')
      if (key === keys[0] && !row.key_used) await markConnectionKeyUsed(deps.pool, row.id, row.key)
    },
  }
}

/** Finds the connection of a key that comes without an id. */
export async function findShopConnectionByKey(
  deps: Deps,
  { key, protocol, field, request }: Attempt & { key: string; protocol: ShopProtocol },
): Promise<ShopCaller & { key: string }> {
  const row = /^\w{32}$/.test(key) ? await connectionOfKey(deps.pool, hashSecret(key), deps.clock()) : undefined
  if (!row) throw createSignatureRefusal(field)
  const found = await findConnection(deps, { id: row.id, protocol: [protocol], field, request })
  if (!found.keys.some(each => isTimingSafeEqual(each, key))) throw createSignatureRefusal(field)
  await found.checkUse(key)
  return { ...found, key }
}

/**
 * The key that signs what is sent to a shop: the replaced one while it is valid and the shop has not used the current
 * one.
 */
export function unsealSigningKey(deps: Deps, row: ShopConnection): string {
  const isOld = row.previous_key !== '' && row.previous_until > deps.clock() && !row.key_used
  return deps.seal.open(isOld ? row.previous_key : row.key, connectionKeySealPlace(row.id))
}

/** The secret that signs webhooks: the one of the webhook that the shop made, otherwise its key. */
export const unsealWebhookSecret = (deps: Deps, row: ShopConnection): string =>
  row.webhook_secret
    ? deps.seal.open(row.webhook_secret, shopWebhookSecretSealPlace(row.id))
    : unsealSigningKey(deps, row)

/** Our RSA private key of a connection, in PEM. */
export const ourPrivateKey = (deps: Deps, { id, private_key }: ShopConnection): string =>
  deps.seal.open(private_key, connectionPrivateKeySealPlace(id))

/** Compares two texts in a time that depends on neither. */
export const isTimingSafeEqual = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string) => createHash('sha256').update(text).digest()
