import { generateKeyPair, randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import {
  btcpayRefundPermission,
  defaultShopCurrencies,
  filterBtcpayPermissions,
  type ShopProtocol,
  shopConnectionsMax,
} from '@coffer/contract/codes/shops.ts'
import type { KeyOverlapSeconds } from '@coffer/contract/codes.ts'
import { mask } from '@coffer/contract/kit/texts.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { readMember } from '../../kit/member.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { throttleChanges } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkNotifyUrl } from '../../outside/check-notify-url.ts'
import { assertMayGiveRights, requireKeyWithoutMoney } from '../applications/money-keys.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { lockActiveMerchant } from '../merchants/active-merchant.ts'
import { assertAccountNotHeld } from '../merchants/hold.ts'
import type { Merchant } from '../merchants/store.ts'
import { publicKeyText, shopUrl } from './present.ts'
import {
  connectionKeySealPlace,
  connectionPrivateKeySealPlace,
  countConnections,
  enabledApplication,
  endConnection,
  endPreviousKey,
  insertConnection,
  lockConnection,
  replaceKey,
} from './store.ts'
import type { ShopCaller } from './use-connection.ts'

interface Change {
  merchantId: string
  proof?: Proof | undefined
  from: Visitor
}

/** A key of a connection, which is never shown again. RSA keys are in base64, empty where the protocol has none. */
export interface NewShopKey {
  id: string
  url: string
  key: string
  private_key: string
  platform_public_key: string
}

const makePair = promisify(generateKeyPair)
const newPair = () =>
  makePair('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/** A key of letters and digits with 128 random bits: shops' forms often allow no more. */
const newKey = () => randomBytes(16).toString('hex')
const newConnectionId = () => String(randomInt(100_000_000, 2_147_483_647))
const bare = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '')
const hasPair = (protocol: string) => protocol === 'epay'
const noPair = { publicKey: '', privateKey: '' }

async function apply<T extends { appid: string; id: string }>(
  deps: Deps,
  { merchantId, proof, from }: Change,
  type: 'shop_connected' | 'shop_key_renewed' | 'shop_disconnected',
  work: (c: Queryable, merchant: Merchant) => Promise<T>,
): Promise<T> {
  const consume = await checkProof(deps, { by: readMember(merchantId, from), proof, action: 'application' })
  return tx(deps.pool, async (c, uow) => {
    const merchant = await lockActiveMerchant(c, merchantId, { approved: true })
    const made = await work(c, merchant)
    await consume(c)
    recordEvent(deps, uow, { merchantId, type, from, params: { appid: made.appid, shop: made.id } })
    return made
  })
}

/**
 * Connects a shop to an enabled application: makes an id and a key of its protocol, by which it creates and reads
 * orders.
 */
export async function connectShop(
  deps: Deps,
  input: Change & {
    appid: string
    protocol: ShopProtocol
    currency?: string | undefined
    notify_url: string
    callback_method: 'GET' | 'POST'
    permissions?: string[]
  },
): Promise<NewShopKey> {
  const {
    merchantId,
    appid,
    protocol,
    currency = defaultShopCurrencies[protocol],
    notify_url,
    callback_method,
    permissions = [],
  } = input
  await throttleChanges(deps, merchantId)
  await checkNotifyUrl(deps, notify_url)
  const kept = filterBtcpayPermissions(permissions)
  const key = newKey()
  const [shops, ours] = hasPair(protocol) ? await Promise.all([newPair(), newPair()]) : [noPair, noPair]
  const { id } = await apply(deps, input, 'shop_connected', async (c, merchant) => {
    assertAccountNotHeld(deps, merchant)
    await requireKeyWithoutMoney(c, input)
    assertMayGiveRights(input.from, { refunds_allowed: kept.includes(btcpayRefundPermission) })
    if (!(await enabledApplication(c, merchantId, appid))) throw new Refusal('application_not_exist')
    if ((await countConnections(c, merchantId, appid)) >= shopConnectionsMax) throw new Refusal('limit_reached')
    for (;;) {
      const id = newConnectionId()
      const { seal } = deps
      const ourKey = ours.privateKey && seal.seal(ours.privateKey, connectionPrivateKeySealPlace(id))
      const added = await insertConnection(
        c,
        id,
        merchantId,
        appid,
        protocol,
        currency,
        notify_url,
        seal.seal(key, connectionKeySealPlace(id)),
        hashSecret(key),
        mask(key),
        shops.publicKey,
        ourKey,
        deps.clock(),
        callback_method,
        kept,
        readMember(merchantId, input.from).personId,
      )
      if (added > 0) return { appid, id }
    }
  })
  const platform_public_key = bare(ours.publicKey)
  return { id, url: shopUrl(deps, { id, protocol }), key, private_key: bare(shops.privateKey), platform_public_key }
}

/**
 * Replaces the key of a connection. The old one stays valid for `keepSeconds`; callbacks are signed with it until the
 * shop uses the new one.
 */
export async function renewShopKey(
  deps: Deps,
  input: Change & { id: string; keepSeconds?: KeyOverlapSeconds | undefined },
): Promise<NewShopKey> {
  const { merchantId, id, keepSeconds = 0 } = input
  await throttleChanges(deps, merchantId)
  const key = newKey()
  const pair = await newPair()
  const found = await apply(deps, input, 'shop_key_renewed', async (c, merchant) => {
    assertAccountNotHeld(deps, merchant)
    const row = await lockConnection(c, merchantId, id)
    if (!row) throw new Refusal('application_not_exist')
    await requireKeyWithoutMoney(c, { ...input, appid: row.appid })
    assertMayGiveRights(input.from, { refunds_allowed: row.permissions.includes(btcpayRefundPermission) })
    const until = keepSeconds > 0 ? deps.clock() + keepSeconds : 0
    const shops = hasPair(row.protocol) ? pair : noPair
    await replaceKey(
      c,
      id,
      deps.seal.seal(key, connectionKeySealPlace(id)),
      hashSecret(key),
      mask(key),
      until,
      shops.publicKey,
      deps.clock(),
      readMember(merchantId, input.from).personId,
    )
    return { ...row, shops }
  })
  const platform_public_key = publicKeyText(deps, found)
  return { id, url: shopUrl(deps, found), key, private_key: bare(found.shops.privateKey), platform_public_key }
}

/** Ends a connection. Its key stops working at once; payments of its orders are still reported. */
export async function disconnectShop(deps: Deps, input: Change & { id: string }): Promise<void> {
  await apply(deps, input, 'shop_disconnected', async c => {
    const row = await lockConnection(c, input.merchantId, input.id)
    if (!row) throw new Refusal('application_not_exist')
    await endConnection(c, input.id, deps.clock())
    return row
  })
}

/** Ends the key that a shop uses, by itself: of the current one the connection too, of a replaced one only that key. */
export async function revokeCallerKey(
  deps: Deps,
  { connection, keys, key, from }: ShopCaller & { key: string; from: Visitor },
): Promise<void> {
  const { id, merchant_id: merchantId, appid } = connection
  if (key !== keys[0]) {
    await endPreviousKey(deps.pool, id)
    return
  }
  await tx(deps.pool, async (c, uow) => {
    await endConnection(c, id, deps.clock())
    recordEvent(deps, uow, { merchantId, type: 'shop_disconnected', from, params: { appid, shop: id } })
  })
}
