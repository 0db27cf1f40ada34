import { limits } from '@coffer/contract/kit/limits.ts'
import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { all, first, run, tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { deviceName, type Visitor } from '../../../kit/visitor.ts'
import { buildCallbackReach, findUrlBlockReason } from '../../../outside/addresses.ts'
import type { PushDevice } from '../../../outside/push.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { requireActiveMerchant } from '../../merchants/active-merchant.ts'
import { lockAccount } from '../../merchants/store.ts'
import { computePushDeviceId, publicPushKey } from '../../notifications/push-keys.ts'
import { checkProof, type Proof } from '../proofs/check-proof.ts'

/** How long (s) a device is notified after the last sign-in on it. */
const unseenSeconds = 90 * 86_400

const readDevice = first('push-device', 'select 1 as found from push_devices where person_id = $1 and id = $2')
const countOthers = first(
  'push-devices-count',
  'select count(*)::int as count from push_devices where person_id = $1 and id <> $2',
)
/** Binds a device of the person, by its secrets, to the session that is open on it now for the same shop. */
const rebind = run(
  'push-device-rebind',
  `update push_devices set session_id = $5, language = $6, seen_at = $7
   where person_id = $1 and id = $2 and p256dh = $3 and auth = $4 and merchant_id = $8 returning 1`,
)
const upsertDevice = run(
  'push-device-upsert',
  `insert into push_devices
     (id, person_id, merchant_id, session_id, endpoint, p256dh, auth, language, device, created_at, seen_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
   on conflict (id) do update set person_id = excluded.person_id, merchant_id = excluded.merchant_id, session_id = excluded.session_id,
     p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language, device = excluded.device,
     created_at = excluded.created_at, seen_at = excluded.seen_at`,
)
const devicesOf = all(
  'push-devices-of',
  'select id, device, session_id, created_at, seen_at from push_devices where person_id = $1 order by seen_at desc, id',
)
const deleteDevice = run('push-device-delete', 'delete from push_devices where person_id = $1 and id = $2 returning 1')
const deleteUnseen = run('push-devices-unseen', 'delete from push_devices where seen_at <= $1 returning 1')

/** Whether a device of the person is subscribed, and the key to subscribe it with. */
export const readPushSubscription = async (deps: Deps, { personId }: Session, device?: string) => ({
  public_key: await publicPushKey(deps),
  on: device !== undefined && (await readDevice(deps.pool, personId, device)) !== undefined,
})

/** Lists the devices that show the merchant's payments; `current` is that of the session. */
export async function listPushDevices({ pool }: Deps, { personId, id: sessionId }: Session) {
  return (await devicesOf(pool, personId)).map(({ id, device, session_id, created_at, seen_at }) => ({
    id,
    device,
    created_time: created_at,
    last_seen: seen_at,
    current: session_id === sessionId,
  }))
}

/**
 * Subscribes a device to the merchant's payments, with a proof: whoever stole a session would otherwise go on reading
 * them after it. One that is the merchant's already is bound to the session that is open on it now. A device belongs to
 * who subscribed it last: it may have had another user. Throws Refusal('push_endpoint') or Refusal('push_devices').
 */
export async function addPushDevice(
  deps: Deps,
  input: { session: Session; device: PushDevice; proof?: Proof | undefined; from: Visitor },
): Promise<void> {
  const { session, device, from } = input
  const { personId, merchantId } = session
  const { endpoint, p256dh, auth } = device
  const id = computePushDeviceId(endpoint)
  if (await rebind(deps.pool, personId, id, p256dh, auth, session.id, from.language, deps.clock(), merchantId)) return
  await checkPushEndpoint(deps, endpoint)
  const consume = await checkProof(deps, { by: input.session, proof: input.proof, action: 'push-device' })
  const name = deviceName(from.device)
  await tx(deps.pool, async (c, uow) => {
    // Locked, so that two devices of one person count each other.
    requireActiveMerchant(await lockAccount(c, merchantId, personId))
    const { count } = (await countOthers(c, personId, id))!
    if (count >= limits.pushDevicesMax) throw new Refusal('push_devices')
    await consume(c)
    await upsertDevice(
      c,
      id,
      personId,
      merchantId,
      session.id,
      endpoint,
      p256dh,
      auth,
      from.language,
      name,
      deps.clock(),
    )
    recordEvent(deps, uow, { merchantId, personId, type: 'push_added', from, params: { name } })
  })
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

/** Ends the subscription of one of the merchant's devices; ending it again does nothing. */
export const removePushDevice = (
  deps: Deps,
  { personId, merchantId }: Session,
  id: string,
  from: Visitor,
): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    if (await deleteDevice(c, personId, id))
      recordEvent(deps, uow, { merchantId, personId, type: 'push_removed', from })
  })

/** Ends devices without a sign-in for 90 days. Returns their number. */
export const endUnseenPushDevices = ({ pool, clock }: Deps): Promise<number> =>
  deleteUnseen(pool, clock() - unseenSeconds)
