import { createHash } from 'node:crypto'
import type { Language } from '@coffer/contract'
import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import { first, run, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { makePushKeys, type PushDevice, type PushKeys } from '../../outside/push.ts'

const readKeys = first('push-keys', 'select public_key, private_key from push_keys')
const insertKeys = run(
  'push-keys-insert',
  'insert into push_keys (public_key, private_key, created_at) values ($1, $2, $3) on conflict do nothing',
)
const readDevice = first('push-device', 'select 1 as found from push_devices where merchant_id = $1 and id = $2')
/** Makes two devices of one merchant count each other. */
const lockOwner = first('push-owner-lock', 'select id from merchants where id = $1 for no key update')
const countOthers = first(
  'push-devices-count',
  'select count(*)::int as count from push_devices where merchant_id = $1 and id <> $2',
)
const upsertDevice = run(
  'push-device-upsert',
  `insert into push_devices (id, merchant_id, session_id, endpoint, p256dh, auth, language, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (id) do update set merchant_id = excluded.merchant_id, session_id = excluded.session_id,
     p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language, created_at = excluded.created_at`,
)
const deleteDevice = run('push-device-delete', 'delete from push_devices where merchant_id = $1 and id = $2')

const placeOf = (publicKey: string) => ({ column: 'push_keys.private_key', row: publicKey }) as const

/** Makes the installation's keys unless it has them. Runs at every start, on any number of servers. */
export async function ensurePushKeys({ pool, seal, clock }: Pick<Deps, 'pool' | 'seal' | 'clock'>): Promise<void> {
  if (await readKeys(pool)) return
  const { public_key, private_key } = makePushKeys()
  await insertKeys(pool, public_key, seal.seal(private_key, placeOf(public_key)), clock())
}

export async function pushKeys({ pool, seal }: Pick<Deps, 'pool' | 'seal'>): Promise<PushKeys> {
  const found = await readKeys(pool)
  if (!found) throw new Error('there are no push keys yet')
  return { ...found, private_key: seal.open(found.private_key, placeOf(found.public_key)) }
}

/** The id of a device: the SHA-256 of its endpoint, which is a secret between browser and server. */
export const deviceId = (endpoint: string): string => createHash('sha256').update(endpoint).digest('hex')

/** Whether a device of the merchant is subscribed, and the key to subscribe it with. */
export async function pushState({ pool }: Deps, { merchantId }: Session, device?: string) {
  const keys = await readKeys(pool)
  return {
    public_key: keys?.public_key ?? '',
    on: device !== undefined && (await readDevice(pool, merchantId, device)) !== undefined,
  }
}

/**
 * Subscribes a device to the merchant's payments. A device belongs to who subscribed it last: it may have had another user.
 * Throws Refusal('push_endpoint') or Refusal('push_devices').
 */
export const addPushDevice = (deps: Deps, session: Session, device: PushDevice, language: Language): Promise<unknown> =>
  tx(deps.pool, async c => {
    const { endpoint, p256dh, auth } = device
    const { protocol, username, password } = new URL(endpoint)
    const mayBeHttp = deps.config.callbackHttp === 'allow'
    if ((protocol !== 'https:' && !(mayBeHttp && protocol === 'http:')) || username || password)
      throw new Refusal('push_endpoint', { field: 'endpoint' })
    await lockOwner(c, session.merchantId)
    const id = deviceId(endpoint)
    const { count } = (await countOthers(c, session.merchantId, id))!
    if (count >= limits.pushDevicesMax) throw new Refusal('push_devices')
    await upsertDevice(c, id, session.merchantId, session.id, endpoint, p256dh, auth, language, deps.clock())
  })

/** Ends the subscription of one of the merchant's devices; ending it again does nothing. */
export const removePushDevice = ({ pool }: Deps, { merchantId }: Session, id: string): Promise<unknown> =>
  deleteDevice(pool, merchantId, id)
