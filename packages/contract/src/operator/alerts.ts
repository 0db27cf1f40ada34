import { z } from 'zod'
import { idParams } from '../kit/operator-parts.ts'
import { ownerRoles, readingRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { emptyObject, pushDevice, quietHours, timeZone, unixSeconds, url } from '../kit/schemas.ts'
import { alertKinds } from './names.ts'

const alertSettings = {
  /** Kinds without mails. Incidents that stop money are mailed in any case. */
  off: z.array(z.enum(alertKinds)).max(alertKinds.length),
  // In which only such incidents are mailed.
  ...quietHours,
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
    dialog: {
      button: { en: 'Change', 'zh-CN': '修改' },
      text: {
        en: 'Sent by email and to the devices below, about what you can act on. Alerts that arise together are one email. Incidents that may stop or lose money are sent at any hour.',
        'zh-CN':
          '仅提醒您有权处理的事项，通过邮件和以下设备发送；同时出现的多项合为一封邮件。可能导致资金停滞或损失的异常不受以下设置限制，随时发送。',
      },
    },
    title: { en: 'Changed their alerts', 'zh-CN': '修改提醒设置' },
    summary: 'Choose what the operator is notified of, and when',
    body: z.strictObject({ ...alertSettings, time_zone: timeZone }),
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
    dialog: {
      button: { en: 'Show on this device', 'zh-CN': '在本设备上显示' },
      text: {
        en: 'Alerts appear as notifications of this browser, also while the console is closed and after you signed out. Whoever holds the device reads them, until you remove it here.',
        'zh-CN':
          '提醒将以浏览器通知的形式显示，即使已关闭控制台或退出登录也会收到。持有该设备的人都能看到，直到您在此处移除。',
      },
    },
    title: { en: 'Added an alert device', 'zh-CN': '添加显示提醒的设备' },
    summary: 'Show the operator alerts on this device from now on',
    body: pushDevice,
    data: emptyObject,
  },
  'POST /api/operator/v1/alert-devices/:id/test': {
    who: readingRoles,
    object: null,
    dialog: {
      button: { en: 'Send a test', 'zh-CN': '发送测试' },
      text: {
        en: '{name} gets a test notification now, marked as such.',
        'zh-CN': '立即向 {name} 发送一条注明为测试的通知。',
      },
    },
    title: { en: 'Sent a test to an alert device', 'zh-CN': '向设备发送测试' },
    summary: 'Send a test to the device now',
    params: idParams,
    data: z.object({ ok: z.boolean() }),
  },
  'DELETE /api/operator/v1/alert-devices/:id': {
    who: readingRoles,
    object: null,
    dialog: {
      button: { en: 'Remove', 'zh-CN': '移除' },
      text: { en: '{name} shows no more alerts.', 'zh-CN': '{name} 不再显示提醒。' },
      done: { en: 'Removed', 'zh-CN': '已移除' },
      look: 'danger',
    },
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
    dialog: {
      button: { en: 'Add a URL', 'zh-CN': '添加网址' },
      text: {
        en: 'Each alert is sent to the URL as signed JSON at once, at any hour, and again until the answer is 2xx. docs/alerts.md has the form, and relays to PagerDuty, Opsgenie and Slack.',
        'zh-CN':
          '每条提醒以签名的 JSON 立即发送到该网址，不受免打扰时段限制；未返回 2xx 时自动重试。格式以及转发到 PagerDuty、Opsgenie、Slack 的方法见 docs/alerts.md。',
      },
    },
    title: { en: 'Added an alert URL', 'zh-CN': '添加提醒接收网址' },
    summary: 'Send alerts to a URL from now on; the answer has the secret that signs them, once',
    body: hook,
    data: z.object({ id: z.string(), secret: z.string() }),
  },
  'PUT /api/operator/v1/alert-hooks/:id': {
    who: ownerRoles,
    fresh: true,
    object: 'alert_hook',
    dialog: {
      button: { en: 'Change', 'zh-CN': '修改' },
      text: {
        en: 'Each alert is sent to the URL as signed JSON at once, at any hour, and again until the answer is 2xx. docs/alerts.md has the form, and relays to PagerDuty, Opsgenie and Slack.',
        'zh-CN':
          '每条提醒以签名的 JSON 立即发送到该网址，不受免打扰时段限制；未返回 2xx 时自动重试。格式以及转发到 PagerDuty、Opsgenie、Slack 的方法见 docs/alerts.md。',
      },
    },
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
    dialog: {
      button: { en: 'New secret', 'zh-CN': '更换密钥' },
      text: {
        en: 'A new secret signs from now on. The old one signs as well for 24 hours, so that you can replace it there.',
        'zh-CN': '新密钥立即用于签名，旧密钥在 24 小时内同时签名，便于接收方更换。',
      },
    },
    title: { en: 'Renewed the secret of an alert URL', 'zh-CN': '更换提醒密钥' },
    summary: 'Replace the secret that signs alerts; the one before signs, too, for 24 hours',
    params: idParams,
    data: z.object({ secret: z.string() }),
  },
  'POST /api/operator/v1/alert-hooks/:id/test': {
    who: ownerRoles,
    object: 'alert_hook',
    dialog: {
      button: { en: 'Send a test', 'zh-CN': '发送测试' },
      text: { en: '{url} gets a test alert now, marked as such.', 'zh-CN': '立即向 {url} 发送一条注明为测试的提醒。' },
    },
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
    dialog: {
      button: { en: 'Remove', 'zh-CN': '移除' },
      text: { en: '{url} gets no more alerts.', 'zh-CN': '{url} 不再接收提醒。' },
      done: { en: 'Removed', 'zh-CN': '已移除' },
      look: 'danger',
    },
    title: { en: 'Removed an alert URL', 'zh-CN': '移除提醒接收网址' },
    command: {
      name: 'hook remove',
      done: 'Hook {id} gets no more alerts.',
      failure: 'There is no such hook.',
    },
    summary: 'Send no more alerts to a URL',
    params: idParams,
    data: emptyObject,
  },
})
