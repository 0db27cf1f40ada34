import type { WorkOrderSubject, WorkOrderType } from '@coffer/contract/codes/work-orders.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readUploadedFile } from '../pictures/read-uploaded-file.ts'
import { answerWorkOrder, closeWorkOrder, reopenWorkOrderForOperator } from '../work-orders/change-order.ts'
import { replyWithPicture, uploadOrderPicture } from '../work-orders/pictures.ts'
import { listAnyWorkOrders, listWorkOrderMessages, readAnyPicture, readAnyWorkOrder } from '../work-orders/store.ts'
import { defineConsoleHandlers } from './context.ts'

type Row = NonNullable<Awaited<ReturnType<typeof readAnyWorkOrder>>>

const present = ({ number, type, theme, status, unread, mchid, email, merchant, created_at, updated_at }: Row) => ({
  number,
  type: type as WorkOrderType,
  theme,
  status,
  unread,
  mchid,
  email,
  merchant,
  created_time: created_at,
  updated_time: updated_at,
})

export const workOrderQueueHandlers = defineConsoleHandlers({
  'GET /api/operator/v1/work-orders': ({ deps, query }) =>
    pageAnswer(listAnyWorkOrders(deps.pool, query, pageOf(query)), present),

  'GET /api/operator/v1/work-orders/:id': async ({ deps: { pool }, params: { id } }) => {
    const order = await readAnyWorkOrder(pool, id)
    if (!order) throw new Refusal('work_order_not_exist', { field: 'id' })
    const { about_kind, about_id, merchant_id } = order
    const messages = await listWorkOrderMessages(pool, merchant_id, id)
    return {
      ...present(order),
      about: about_kind && about_id ? { kind: about_kind as WorkOrderSubject, id: about_id } : null,
      messages: messages.map(({ operator, created_at, ...message }) => ({
        ...message,
        operator: operator ?? '',
        created_time: created_at,
      })),
    }
  },

  'POST /api/operator/v1/work-orders/:id/answer': ({ deps, operator, params, body }) =>
    toEmptyAnswer(answerWorkOrder(deps, { number: params.id, ...body, operator: operator.email })),

  'POST /api/operator/v1/work-orders/:id/pictures': async ({ deps, params: { id: number }, request }) => {
    const order = await readAnyWorkOrder(deps.pool, number)
    if (!order) throw new Refusal('work_order_not_exist', { field: 'id' })
    return uploadOrderPicture(deps, { merchantId: order.merchant_id, number, file: await readUploadedFile(request) })
  },

  'GET /api/operator/v1/work-orders/:id/pictures/:picture': async ({ deps, params: { id, picture }, reply }) =>
    replyWithPicture(reply, await readAnyPicture(deps.pool, id, picture)),

  'POST /api/operator/v1/work-orders/:id/close': ({ deps, params }) =>
    toEmptyAnswer(closeWorkOrder(deps, { number: params.id })),

  'POST /api/operator/v1/work-orders/:id/reopen': ({ deps, params }) =>
    toEmptyAnswer(reopenWorkOrderForOperator(deps, { number: params.id })),
})
