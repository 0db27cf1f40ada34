import { z } from 'zod'
import { defineRoutes } from '../kit/route.ts'
import { empty, id, pushDevice, text, unixSeconds, url } from '../kit/schemas.ts'
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
const withId = z.strictObject({ id })
const kinds = z.array(z.enum(alertKinds)).min(1).max(alertKinds.length)
const hook = z.strictObject({ url, kinds })

/** What operators, and systems of theirs, are notified of. */
export const alertRoutes = defineRoutes({
  'GET /api/operator/v1/alerts': {
    summary: 'Read what the operator is notified of, and when',
    data: z.object({ ...alertSettings, time_zone: z.string() }),
  },
  'PUT /api/operator/v1/alerts': {
    summary: 'Choose what the operator is notified of, and when',
    body: z.strictObject({ ...alertSettings, time_zone: text(isTimeZone, 'parameter_error') }),
    data: empty,
  },
  'GET /api/operator/v1/alert-devices': {
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
    summary: 'Show the operator alerts on this device from now on',
    body: pushDevice,
    data: empty,
  },
  'POST /api/operator/v1/alert-devices/:id/test': {
    summary: 'Send a test to the device now',
    params: withId,
    data: z.object({ ok: z.boolean() }),
  },
  'DELETE /api/operator/v1/alert-devices/:id': {
    summary: 'Show no more alerts on a device',
    params: withId,
    data: empty,
  },
  'GET /api/operator/v1/alert-hooks': {
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
    summary: 'Send alerts to a URL from now on; the answer has the secret that signs them, once',
    body: hook,
    data: z.object({ id: z.string(), secret: z.string() }),
  },
  'PUT /api/operator/v1/alert-hooks/:id': {
    summary: 'Change where alerts are sent, and which',
    params: withId,
    body: hook,
    data: empty,
  },
  'POST /api/operator/v1/alert-hooks/:id/renew': {
    summary: 'Replace the secret that signs alerts; the one before signs, too, for 24 hours',
    params: withId,
    data: z.object({ secret: z.string() }),
  },
  'POST /api/operator/v1/alert-hooks/:id/test': {
    summary: 'Send a test now',
    unstored: true,
    params: withId,
    data: z.object({ ok: z.boolean(), result: z.string() }),
  },
  'DELETE /api/operator/v1/alert-hooks/:id': {
    summary: 'Send no more alerts to a URL',
    params: withId,
    data: empty,
  },
})
