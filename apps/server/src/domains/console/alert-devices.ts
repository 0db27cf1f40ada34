import { limits } from '@coffer/contract/kit/limits.ts'
import { languageOf } from '@coffer/contract/languages.ts'
import { testAlertTexts } from '@coffer/contract/operator/names.ts'
import type { Deps } from '../../deps.ts'
import { all, first, run } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { deviceName, type Visitor } from '../../kit/visitor.ts'
import type { PushDevice } from '../../outside/push.ts'
import { checkPushEndpoint } from '../identity/push/push-devices.ts'
import { computePushDeviceId, publicPushKey, readPushKeys } from '../notifications/push-keys.ts'
import type { OperatorSession } from '../operators/sessions.ts'
import { alertId, type OperatorAlert, renderInLanguages } from './alert-mails.ts'

/** A push message may have 3,993 bytes (RFC 8291); a character up to 4. */
const bodyMax = 400

const insert = run(
  'alert-device-insert',
  `insert into alert_devices (id, operator_id, endpoint, p256dh, auth, language, device, created_at)
   select $1, $2, $3, $4, $5, $6, $7, $8
   where (select count(*) from alert_devices where operator_id = $2 and id <> $1) < ${limits.pushDevicesMax}
   on conflict (id) do update set operator_id = excluded.operator_id, p256dh = excluded.p256dh, auth = excluded.auth,
     language = excluded.language, device = excluded.device, created_at = excluded.created_at`,
)
const devices = all(
  'alert-devices',
  'select id, device, created_at as created_time from alert_devices where operator_id = $1 order by created_at, id',
)
const one = first(
  'alert-device',
  'select endpoint, p256dh, auth, language from alert_devices where operator_id = $1 and id = $2',
)
const remove = run('alert-device-remove', 'delete from alert_devices where operator_id = $1 and id = $2')
/** Removes a device that its browser unsubscribed. */
const forget = run('alert-device-forget', 'delete from alert_devices where id = $1')

/** Lists the operator's devices that show alerts. */
export const listAlertDevices = async (deps: Deps, { operatorId }: OperatorSession) => ({
  public_key: await publicPushKey(deps),
  list: await devices(deps.pool, operatorId),
})

/**
 * Shows an operator alerts on a device, which belongs to who subscribed it last. Throws Refusal('push_endpoint') or
 * Refusal('push_devices').
 */
export async function addAlertDevice(
  deps: Deps,
  { operatorId }: OperatorSession,
  { endpoint, p256dh, auth }: PushDevice,
  from: Visitor,
): Promise<void> {
  await checkPushEndpoint(deps, endpoint)
  const id = computePushDeviceId(endpoint)
  const name = deviceName(from.device)
  if (!(await insert(deps.pool, id, operatorId, endpoint, p256dh, auth, from.language, name, deps.clock())))
    throw new Refusal('push_devices')
}

/** Ends one of the operator's devices; ending it again does nothing. */
export const removeAlertDevice = ({ pool }: Deps, { operatorId }: OperatorSession, id: string) =>
  remove(pool, operatorId, id)

/** Sends a device an alert that says it is a test, once. */
export async function testAlertDevice(
  deps: Deps,
  { operatorId }: OperatorSession,
  id: string,
): Promise<{ ok: boolean }> {
  const device = await one(deps.pool, operatorId, id)
  if (!device) throw new Refusal('operation_failed', { field: 'device' })
  const texts = renderInLanguages(language => ({ subject: testAlertTexts[language], lines: [] }))
  const alert = { urgent: false, link: deps.config.operatorUrl, texts }
  return { ok: (await pushAlert(deps, { ...device, id }, newId(), alert)) === 'accepted' }
}

/** How an attempt ended, as it is stored. */
const outcomes = { accepted: 'accepted', refused: 'gone', later: 'failed' } as const

/** Makes one attempt to show an alert on a device. One whose browser ended the subscription is removed. */
export async function pushAlert(
  deps: Deps,
  device: PushDevice & { id: string; language: string },
  subject: string,
  { link, texts }: OperatorAlert,
): Promise<(typeof outcomes)[keyof typeof outcomes]> {
  // The end of an incident replaces the notification of its beginning.
  const topic = alertId(subject.replace(/^end of /, ''))
  const { subject: title, lines } = texts[languageOf(device.language)]
  const payload = JSON.stringify({ title, body: lines.join('\n').slice(0, bodyMax), tag: topic, link })
  const { result } = await deps.push.send({ device, keys: await readPushKeys(deps), topic, payload })
  if (result === 'refused') await forget(deps.pool, device.id)
  return outcomes[result]
}
