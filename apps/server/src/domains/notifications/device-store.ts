import { limits } from '@coffer/contract/kit/limits.ts'
import type { Deps } from '../../deps.ts'
import { all, first, type Queryable, run } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { deviceName, type Visitor } from '../../kit/visitor.ts'
import { buildCallbackReach, findUrlBlockReason } from '../../outside/addresses.ts'
import type { PushDevice } from '../../outside/push.ts'
import { computePushDeviceId } from './push-keys.ts'

/** Subscribes a device of a person who has few others. It belongs to who subscribed it last. */
const upsert = run(
  'push-device-upsert',
  `insert into push_devices
     (id, person_id, merchant_id, session_id, endpoint, p256dh, auth, language, device, created_at, seen_at)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10
   where (select count(*) from push_devices where person_id = $2 and id <> $1) < ${limits.pushDevicesMax}
   on conflict (id) do update set person_id = excluded.person_id, merchant_id = excluded.merchant_id, session_id = excluded.session_id,
     p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language, device = excluded.device,
     created_at = excluded.created_at, seen_at = excluded.seen_at`,
)
/** Finds a device of a person. */
export const deviceOfPerson = first(
  'push-device',
  'select 1 as found from push_devices where person_id = $1 and id = $2',
)
/** Lists the devices of a person, the last seen first. */
export const devicesOfPerson = all(
  'push-devices-of',
  'select id, device, session_id, created_at, seen_at from push_devices where person_id = $1 order by seen_at desc, id',
)
/** Removes a device of a person. */
export const deleteDevice = run(
  'push-device-delete',
  'delete from push_devices where person_id = $1 and id = $2 returning 1',
)

interface Subscriber {
  personId: string
  /** Null: an operator. */
  merchantId: string | null
  /** With which the device ends; '' for none. */
  sessionId: string
}

/** Shows a person messages on a device from now on. Throws Refusal('push_devices'). */
export async function subscribeDevice(
  { clock }: Pick<Deps, 'clock'>,
  c: Queryable,
  { personId, merchantId, sessionId }: Subscriber,
  { endpoint, p256dh, auth }: PushDevice,
  from: Visitor,
): Promise<{ name: string }> {
  const id = computePushDeviceId(endpoint)
  const name = deviceName(from.device)
  const { language } = from
  if (!(await upsert(c, id, personId, merchantId, sessionId, endpoint, p256dh, auth, language, name, clock())))
    throw new Refusal('push_devices')
  return { name }
}

/**
 * Refuses an endpoint that is not a public https address, as callbacks do. A host that does not resolve now is checked
 * by each push.
 */
export async function checkPushEndpoint({ config }: Pick<Deps, 'config'>, endpoint: string): Promise<void> {
  const url = new URL(endpoint)
  const mayBeHttp = config.callbackHttp === 'allow' && url.protocol === 'http:'
  const refused = (url.protocol !== 'https:' && !mayBeHttp) || url.username || url.password
  if (refused || (await findUrlBlockReason(url, buildCallbackReach(config))))
    throw new Refusal('push_endpoint', { field: 'endpoint' })
}
