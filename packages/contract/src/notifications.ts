import { z } from 'zod'
import { notificationStatus, notificationType } from './codes.ts'
import { defineRoutes } from './route.ts'
import { filterBy, flag, id, listOf, money, paging, unixSeconds } from './schemas.ts'

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
  amount: money.optional(),
  currency: z.object({ token: z.string(), logo: z.string(), chain: z.string() }).optional(),
  trade_no: z.string().optional(),
})

export const notificationRoutes = defineRoutes({
  'GET /api/v1/message': {
    auth: 'token',
    summary:
      'List notifications, newest first. `all` gives read and unread ones, the newest 1000 in one answer unless pageSize is given',
    query: z.strictObject({
      current: paging.current,
      // Without its default, which optional() would keep.
      pageSize: paging.pageSize.unwrap().optional(),
      all: flag,
      read: filterBy(notificationStatus),
      types: filterBy(notificationType),
    }),
    data: listOf(notification).extend({
      unread: z.int(),
      work_orders: z.int().describe('Work orders with an answer that was not read'),
    }),
  },
  'PUT /api/v1/message/read': {
    auth: 'token',
    submission: true,
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
