import { testAlertTexts } from '@coffer/contract/operator/names.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import type { PushDevice } from '../../outside/push.ts'
import { pushToDevice } from '../notifications/channels/push.ts'
import {
  checkPushEndpoint,
  deleteDevice,
  deviceOfPerson,
  devicesOfPerson,
  subscribeDevice,
} from '../notifications/device-store.ts'
import { publicPushKey } from '../notifications/push-keys.ts'
import type { OperatorSession } from '../operators/sessions.ts'
import { alertId, type OperatorAlert, renderInLanguages } from './alert-mails.ts'

/** A push message may have 3,993 bytes (RFC 8291); a character up to 4. */
const bodyMax = 400

/** Lists the operator's devices that show alerts, oldest first. */
export const listAlertDevices = async (deps: Deps, { operatorId }: OperatorSession) => ({
  public_key: await publicPushKey(deps),
  list: (await devicesOfPerson(deps.pool, operatorId))
    .map(({ id, device, created_at: created_time }) => ({ id, device, created_time }))
    .toReversed(),
})

/** Shows an operator alerts on a device. Throws Refusal('push_endpoint') or Refusal('push_devices'). */
export async function addAlertDevice(
  deps: Deps,
  { operatorId }: OperatorSession,
  device: PushDevice,
  from: Visitor,
): Promise<void> {
  await checkPushEndpoint(deps, device.endpoint)
  const subscriber = { personId: operatorId, merchantId: null, sessionId: '' }
  await subscribeDevice(deps, deps.pool, subscriber, device, from)
}

/** Ends one of the operator's devices; ending it again does nothing. */
export const removeAlertDevice = ({ pool }: Deps, { operatorId }: OperatorSession, id: string) =>
  deleteDevice(pool, operatorId, id)

/** Sends a device an alert that says it is a test, once. */
export async function testAlertDevice(
  deps: Deps,
  { operatorId }: OperatorSession,
  id: string,
): Promise<{ ok: boolean }> {
  if (!(await deviceOfPerson(deps.pool, operatorId, id))) throw new Refusal('operation_failed', { field: 'device' })
  const texts = renderInLanguages(language => ({ subject: testAlertTexts[language], lines: [] }))
  const alert = { urgent: false, link: deps.config.operatorUrl, texts }
  return { ok: (await pushAlert(deps, id, { subject: newId(), alert })).result === 'accepted' }
}

/** Makes one attempt to show an alert on a device. The end of an incident replaces its beginning. */
export function pushAlert(
  deps: Deps,
  device: string,
  { subject, alert: { link, texts } }: { subject: string; alert: OperatorAlert },
) {
  const topic = alertId(subject.replace(/^end of /, ''))
  return pushToDevice(deps, device, language => {
    const { subject: title, lines } = texts[language]
    return { topic, payload: JSON.stringify({ title, body: lines.join('\n').slice(0, bodyMax), tag: topic, link }) }
  })
}
