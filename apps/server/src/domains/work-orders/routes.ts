import type { WorkOrderSubject, WorkOrderType } from '@coffer/contract/codes/work-orders.ts'
import { workOrderLimits } from '@coffer/contract/codes/work-orders.ts'
import { defineHandlers } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import { countUnreadWorkOrders } from '../notifications/store.ts'
import { readUploadedFile } from '../pictures/read-uploaded-file.ts'
import { closeWorkOrder, reopenWorkOrder, replyToWorkOrder } from './change-order.ts'
import { createWorkOrder } from './create-order.ts'
import { replyWithPicture, uploadOrderPicture } from './pictures.ts'
import {
  listWorkOrderMessages,
  listWorkOrders,
  markWorkOrderRead,
  readPicture,
  readWorkOrder,
  type WorkOrder,
} from './store.ts'

export const workOrderHandlers = defineHandlers({
  'GET /api/v1/work-order/list': ({ deps: { pool }, session: { merchantId }, query }) =>
    pageAnswer(listWorkOrders(pool, merchantId, query, pageOf(query)), row => ({
      ...present(row),
      description: row.description ?? '',
    })),

  'GET /api/v1/work-order': async ({ deps: { pool }, session: { merchantId }, query: { number } }) => {
    const order = await readWorkOrder(pool, merchantId, number)
    if (!order) throw new Refusal('work_order_not_exist', { field: 'number' })
    const { about_kind, about_id, closed_at } = order
    const messages = await listWorkOrderMessages(pool, merchantId, number)
    return {
      ...present(order),
      about: about_kind && about_id ? { kind: about_kind as WorkOrderSubject, id: about_id } : null,
      reopen_until: closed_at === null ? 0 : closed_at + workOrderLimits.reopenSeconds,
      messages: messages.map(({ operator, created_at, ...message }) => ({
        ...message,
        author: operator === null ? ('merchant' as const) : ('operator' as const),
        created_time: created_at,
      })),
    }
  },

  'POST /api/v1/work-order': async ({ deps, session: { merchantId }, body }) => ({
    number: await createWorkOrder(deps, { merchantId, ...body }),
  }),

  'POST /api/v1/work-order/picture': async ({ deps, session: { merchantId }, request }) =>
    uploadOrderPicture(deps, { merchantId, number: null, file: await readUploadedFile(request) }),

  'GET /api/v1/work-order/picture': async ({ deps, session: { merchantId }, query: { id }, reply }) =>
    replyWithPicture(reply, await readPicture(deps.pool, merchantId, id)),

  'POST /api/v1/work-order/reply': async ({ deps, session: { merchantId }, body }) => {
    await replyToWorkOrder(deps, { merchantId, ...body })
    return { number: body.number }
  },

  'POST /api/v1/work-order/close': async ({ deps, session: { merchantId }, body: { number } }) => {
    await closeWorkOrder(deps, { merchantId, number })
    return { number }
  },

  'POST /api/v1/work-order/reopen': async ({ deps, session: { merchantId }, body }) => {
    await reopenWorkOrder(deps, { merchantId, ...body })
    return { number: body.number }
  },

  'PUT /api/v1/work-order/read': ({ deps, session: { merchantId }, body: { number } }) =>
    tx(deps.pool, async (c, uow) => {
      const changed = await markWorkOrderRead(c, merchantId, number)
      if (changed) uow.add(liveHints, [{ merchant_id: merchantId, type: 'notification', id: '' }])
      else if (!(await readWorkOrder(c, merchantId, number)))
        throw new Refusal('work_order_not_exist', { field: 'number' })
      return { unread: await countUnreadWorkOrders(c, merchantId) }
    }),
})

const present = ({ number, type, theme, status, unread, created_at, updated_at }: WorkOrder) => ({
  number,
  type: type as WorkOrderType,
  theme,
  status,
  unread,
  created_time: created_at,
  updated_time: updated_at,
})
