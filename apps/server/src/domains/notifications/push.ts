import { createHash } from 'node:crypto'
import { asMerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { audiencesOfRole } from '../../kit/audience.ts'
import { all, run } from '../../kit/db.ts'
import { isPresentSql } from '../../kit/member.ts'
import { runSendQueue } from '../../kit/send-queue.ts'
import type { PushKeys } from '../../outside/push.ts'
import { readPushKeys } from './push-keys.ts'
import { renderMessage } from './render-message.ts'

/** Pushes under way at a time. */
const placesMax = 50
/** Seconds after which a push is sent again whose attempt was never recorded (crash). Longer than an attempt takes. */
const leaseSeconds = 60
/**
 * Seconds until the next attempt after each failed one. After the last the push is dropped: the notification remains.
 */
const pauses = [30, 120, 600]

/** Takes due pushes to devices of open accounts, each with the role that its reader has now. */
const lease = all(
  'pushes-lease',
  `with due as (
     select device_id, notification_id from pushes where due_at <= $1 order by due_at limit $3 for update skip locked
   )
   update pushes p set due_at = $2, tries = p.tries + 1
   from due left join push_devices d on d.id = due.device_id and exists (
     select from merchants m where m.id = d.merchant_id and m.deleted_at is null and not m.frozen
   )
   where p.device_id = due.device_id and p.notification_id = due.notification_id
   returning p.device_id, p.notification_id, p.message, p.params, p.tries, d.endpoint, d.p256dh, d.auth, d.language,
     (select e.role from members e
       where e.person_id = d.person_id and e.merchant_id = d.merchant_id and ${isPresentSql}) as role,
     (select n.audience from notifications n
       where n.merchant_id = d.merchant_id and n.id = p.notification_id) as audience`,
)
const drop = run('push-drop', 'delete from pushes where device_id = $1 and notification_id = $2')
const later = run('push-later', 'update pushes set due_at = $3 where device_id = $1 and notification_id = $2')
/** Removes a device that its browser unsubscribed. */
const forget = run(
  'push-device-forget',
  'with gone as (delete from pushes where device_id = $1) delete from push_devices where id = $1',
)

type Leased = Awaited<ReturnType<typeof lease>>[number]

/**
 * Sends due pushes until `signal` aborts. One that was sent just before a crash is sent again: its topic and tag make
 * the device show it once.
 */
export const sendPushes = (deps: Deps, signal: AbortSignal): Promise<void> =>
  runSendQueue({
    name: 'send pushes',
    log: deps.log,
    live: deps.live,
    signal,
    listen: wake => deps.live.onType('notification', wake),
    lease: async underWay => {
      const now = deps.clock()
      const room = placesMax - underWay
      return room > 0 ? lease(deps.pool, now, now + leaseSeconds, room) : []
    },
    send: async push => sendPush(deps, await readPushKeys(deps), push),
    about: ({ device_id }) => ({ device: device_id }),
  })

/** Makes one attempt and records how it ended. */
async function sendPush({ pool, push, clock, log }: Deps, keys: PushKeys, leased: Leased): Promise<void> {
  const { device_id, notification_id, message, params, tries, endpoint, p256dh, auth, language, role, audience } =
    leased
  const isConcerned = audiencesOfRole(asMerchantRole(role ?? '')).includes(audience ?? '')
  if (!isConcerned || endpoint === null || p256dh === null || auth === null || language === null)
    return void (await drop(pool, device_id, notification_id))
  const topic = createHash('sha256').update(notification_id).digest('base64url').slice(0, 32)
  const { title, content } = renderMessage(message, params, languageOf(language))
  const payload = JSON.stringify({
    title,
    // Begins with the amount.
    body: content,
    tag: notification_id,
    trade_no: params.trade_no ?? '',
    ...(message === 'withdrawal_waits' && { page: '/m/approvals' }),
  })
  const result = await push.send({ device: { endpoint, p256dh, auth }, keys, topic, payload }).catch(error => {
    // A subscription with keys that are none cannot be encrypted for.
    log.warn({ err: error, device: device_id }, 'push not sent')
    return 'failed' as const
  })
  const next = pauses[tries - 1]
  if (result === 'gone') await forget(pool, device_id)
  else if (result === 'accepted' || next === undefined) await drop(pool, device_id, notification_id)
  else await later(pool, device_id, notification_id, clock() + next)
}
