import { z } from 'zod'
import { notificationStatus, notificationSubjects, notificationType } from '../codes.ts'
import { everyRole } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  booleanText,
  codeFilter,
  decimalAmount,
  emptyObject,
  id,
  listOf,
  paging,
  proof,
  pushDevice,
  unixSeconds,
} from '../kit/schemas.ts'

const notification = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string(),
  status: z.int().describe('See notificationStatus'),
  types: z.int().describe('See notificationType'),
  created_time: unixSeconds,
  ip: z.string().optional(),
  device: z.string().optional(),
  address: z.string().optional(),
  amount: decimalAmount.optional(),
  currency: z.object({ token: z.string(), logo: z.string(), chain: z.string() }).optional(),
  trade_no: z.string().optional(),
  about: z
    .object({ kind: z.enum(notificationSubjects), id: z.string() })
    .optional()
    .describe('What it is about: `id` finds it in its list'),
})

export const notificationRoutes = defineRoutes({
  'GET /api/v1/message': {
    who: everyRole,
    summary:
      'List notifications, newest first; announcements alone to roles that do not read everything. `all` gives read and unread ones, the newest 1000 in one answer unless pageSize is given',
    query: z.strictObject({
      current: paging.current,
      // Without its default, which optional() would keep.
      pageSize: paging.pageSize.unwrap().optional(),
      all: booleanText,
      read: codeFilter(notificationStatus),
      types: codeFilter(notificationType),
      group: z.enum(['notices', 'money']).optional().describe('See notificationGroups'),
    }),
    data: listOf(notification).extend({
      unread: z.int(),
      unread_money: z.int().describe('Those of the unread ones in the group `money`'),
      work_orders: z.int().describe('Work orders with an answer that was not read'),
    }),
  },
  'GET /api/v1/message/sent': {
    who: 'oneself',
    summary: 'List the last 50 messages to you: when, by which channel, and whether each arrived',
    data: z.object({
      list: z.array(
        z.object({
          id: z.string(),
          channel: z.enum(['mail', 'text', 'push', 'chat']),
          to: z
            .string()
            .describe('Mailbox, phone, device or chat; empty for one that was removed, or a former mailbox or phone'),
          title: z.string().describe('Of the first event'),
          more: z.int().describe('Events that it tells of besides'),
          state: z
            .enum(['waiting', 'accepted', 'refused', 'expired'])
            .describe('`refused`: it never will arrive there; `expired`: nobody took it for days'),
          error: z.string().describe('Why the last attempt failed'),
          created_time: unixSeconds,
          done_time: unixSeconds.describe('0: it waits'),
        }),
      ),
    }),
  },
  'PUT /api/v1/message/read': {
    who: everyRole,
    summary: 'Mark notifications as read; -1 for all',
    body: z.strictObject({
      message_ids: z
        .array(z.union([id, z.literal(-1)]))
        .min(1)
        .max(1000),
    }),
    data: z.object({ unread: z.int() }),
  },
})

/** The devices that show received payments. */
export const pushRoutes = defineRoutes({
  'GET /api/v1/message/push': {
    who: everyRole,
    summary: 'Whether a device shows received payments as push messages, and the key to subscribe it with (VAPID)',
    query: z.strictObject({
      device: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional()
        .describe('SHA-256 of its endpoint, in hex'),
    }),
    data: z.object({ public_key: z.string(), on: z.boolean() }),
  },
  'POST /api/v1/message/push': {
    who: everyRole,
    summary: 'Send received payments to this device as push messages. A device that has them already needs no proof',
    body: pushDevice.extend({ proof: proof.optional() }),
    data: emptyObject,
  },
  'DELETE /api/v1/message/push': {
    who: 'oneself',
    summary: 'Send no more push messages to a device',
    query: z.strictObject({ device: z.string().regex(/^[0-9a-f]{64}$/) }),
    data: emptyObject,
  },
})
