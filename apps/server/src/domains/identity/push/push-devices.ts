import type { Deps } from '../../../deps.ts'
import type { Session } from '../../../http/context.ts'
import { run, tx } from '../../../kit/db.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import type { PushDevice } from '../../../outside/push.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { requireActiveMerchant } from '../../merchants/active-merchant.ts'
import { lockAccount } from '../../merchants/store.ts'
import {
  checkPushEndpoint,
  deleteDevice,
  deviceOfPerson,
  devicesOfPerson,
  subscribeDevice,
} from '../../notifications/device-store.ts'
import { computePushDeviceId, publicPushKey } from '../../notifications/push-keys.ts'
import { checkProof, type Proof } from '../proofs/check-proof.ts'

/** How long (s) a device is notified after the last sign-in on it. */
const unseenSeconds = 90 * 86_400

/** Binds a device of the person, by its secrets, to the session that is open on it now for the same shop. */
const rebind = run(
  'push-device-rebind',
  `update push_devices set session_id = $5, language = $6, seen_at = $7
   where person_id = $1 and id = $2 and p256dh = $3 and auth = $4 and merchant_id = $8 returning 1`,
)
/** Those of operators last. */
const deleteUnseen = run(
  'push-devices-unseen',
  'delete from push_devices where seen_at <= $1 and merchant_id is not null returning 1',
)

/** Whether a device of the person is subscribed, and the key to subscribe it with. */
export const readPushSubscription = async (deps: Deps, { personId }: Session, device?: string) => ({
  public_key: await publicPushKey(deps),
  on: device !== undefined && (await deviceOfPerson(deps.pool, personId, device)) !== undefined,
})

/** Lists the devices that show the merchant's payments; `current` is that of the session. */
export async function listPushDevices({ pool }: Deps, { personId, id: sessionId }: Session) {
  return (await devicesOfPerson(pool, personId)).map(({ id, device, session_id, created_at, seen_at }) => ({
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
  await tx(deps.pool, async (c, uow) => {
    // Locked, so that two devices of one person count each other.
    requireActiveMerchant(await lockAccount(c, merchantId, personId))
    await consume(c)
    const { name } = await subscribeDevice(deps, c, { personId, merchantId, sessionId: session.id }, device, from)
    recordEvent(deps, uow, { merchantId, personId, type: 'push_added', from, params: { name } })
  })
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
