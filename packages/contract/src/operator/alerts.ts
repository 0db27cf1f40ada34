import { z } from 'zod'
import { idParams } from '../kit/operator-parts.ts'
import { ownerRoles, readingRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { emptyObject, pushDevice, unixSeconds, url, validatedText } from '../kit/schemas.ts'
import { isTimeZone } from '../kit/texts.ts'
import { alertKinds } from './names.ts'

const hour = z.int().min(0).max(23)
const alertSettings = {
  /** Kinds without mails. Incidents that stop money are mailed in any case. */
  off: z.array(z.enum(alertKinds)).max(alertKinds.length),
  /** Hours in which only such incidents are mailed; the same hour twice: none. */
  quiet_from: hour,
  quiet_until: hour,
}
const kinds = z.array(z.enum(alertKinds)).min(1).max(alertKinds.length)
const hook = z.strictObject({ url, kinds })

/** What operators, and systems of theirs, are notified of. */
export const alertRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/alerts': {
    who: readingRoles,
    summary: 'Read what the operator is notified of, and when',
    data: z.object({ ...alertSettings, time_zone: z.string() }),
  },
  'PUT /api/operator/v1/alerts': {
    who: readingRoles,
    object: null,
    title: { en: 'Changed their alerts', 'zh-CN': '修改提醒设置' },
    summary: 'Choose what the operator is notified of, and when',
    body: z.strictObject({ ...alertSettings, time_zone: validatedText(isTimeZone, 'parameter_error') }),
    data: emptyObject,
  },
  'GET /api/operator/v1/alert-devices': {
    who: readingRoles,
    summary: 'List the devices that show the operator alerts, and read the key to subscribe one with (VAPID)',
    data: z.object({
      public_key: z.string(),
      list: z.array(
        z.object({
          id: z.string().describe('SHA-256 of its endpoint, in hex'),
          device: z.string(),
          created_time: unixSeconds,
        }),
      ),
    }),
  },
  'POST /api/operator/v1/alert-devices': {
    who: readingRoles,
    fresh: true,
    object: null,
    title: { en: 'Added an alert device', 'zh-CN': '添加显示提醒的设备' },
    summary: 'Show the operator alerts on this device from now on',
    body: pushDevice,
    data: emptyObject,
  },
  'POST /api/operator/v1/alert-devices/:id/test': {
    who: readingRoles,
    object: null,
    title: { en: 'Sent a test to an alert device', 'zh-CN': '向设备发送测试' },
    summary: 'Send a test to the device now',
    params: idParams,
    data: z.object({ ok: z.boolean() }),
  },
  'DELETE /api/operator/v1/alert-devices/:id': {
    who: readingRoles,
    object: null,
    title: { en: 'Removed an alert device', 'zh-CN': '移除显示提醒的设备' },
    summary: 'Show no more alerts on a device',
    params: idParams,
    data: emptyObject,
  },
  'GET /api/operator/v1/alert-hooks': {
    who: ownerRoles,
    summary: 'List the systems that get alerts as signed JSON',
    data: z.object({
      list: z.array(
        z.object({
          id: z.string(),
          url: z.string(),
          kinds: z.array(z.enum(alertKinds)),
          /** Until when the secret before the current one signs, too; 0: there is none. */
          previous_until: unixSeconds,
          created_time: unixSeconds,
          last: z.array(
            z.object({
              kind: z.enum(alertKinds),
              object: z.string(),
              created_time: unixSeconds,
              tries: z.int(),
              /** 0 while it is sent again. */
              done_time: unixSeconds,
              /** `HTTP <status>`, or why there was no answer; empty before the first attempt. */
              result: z.string(),
            }),
          ),
        }),
      ),
    }),
  },
  'POST /api/operator/v1/alert-hooks': {
    who: ownerRoles,
    fresh: true,
    object: 'alert_hook',
    title: { en: 'Added an alert URL', 'zh-CN': '添加提醒接收网址' },
    summary: 'Send alerts to a URL from now on; the answer has the secret that signs them, once',
    body: hook,
    data: z.object({ id: z.string(), secret: z.string() }),
  },
  'PUT /api/operator/v1/alert-hooks/:id': {
    who: ownerRoles,
    fresh: true,
    object: 'alert_hook',
    title: { en: 'Changed an alert URL', 'zh-CN': '修改提醒接收网址' },
    summary: 'Change where alerts are sent, and which',
    params: idParams,
    body: hook,
    data: emptyObject,
  },
  'POST /api/operator/v1/alert-hooks/:id/renew': {
    who: ownerRoles,
    fresh: true,
    object: 'alert_hook',
    title: { en: 'Renewed the secret of an alert URL', 'zh-CN': '更换提醒密钥' },
    summary: 'Replace the secret that signs alerts; the one before signs, too, for 24 hours',
    params: idParams,
    data: z.object({ secret: z.string() }),
  },
  'POST /api/operator/v1/alert-hooks/:id/test': {
    who: ownerRoles,
    object: 'alert_hook',
    title: { en: 'Sent a test alert', 'zh-CN': '发送测试提醒' },
    summary: 'Send a test now',
    unstored: true,
    params: idParams,
    data: z.object({ ok: z.boolean(), result: z.string() }),
  },
  'DELETE /api/operator/v1/alert-hooks/:id': {
    who: ownerRoles,
    fresh: true,
    object: 'alert_hook',
    title: { en: 'Removed an alert URL', 'zh-CN': '移除提醒接收网址' },
    summary: 'Send no more alerts to a URL',
    params: idParams,
    data: emptyObject,
  },
})
