import type { WorkOrderSubject, WorkOrderType } from '@coffer/contract/codes/work-orders.ts'
import { noData } from '../../http/context.ts'
import { pageAnswer, pageOf } from '../../kit/list.ts'
import { Refusal } from '../../kit/refusal.ts'
import { fileOf } from '../pictures/file-of.ts'
import { answerWorkOrder, closeWorkOrder, reopenForOperator } from '../work-orders/change-order.ts'
import { answerPicture, uploadOrderPicture } from '../work-orders/pictures.ts'
import { listAnyWorkOrders, messagesOf, readAnyPicture, readAnyWorkOrder } from '../work-orders/store.ts'
import { defineConsole } from './context.ts'

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

export const workOrderQueueHandlers = defineConsole({
  'GET /api/operator/v1/work-orders': ({ deps, query }) =>
    pageAnswer(listAnyWorkOrders(deps.pool, query, pageOf(query)), present),

  'GET /api/operator/v1/work-orders/:id': async ({ deps: { pool }, params: { id } }) => {
    const order = await readAnyWorkOrder(pool, id)
    if (!order) throw new Refusal('work_order_not_exist', { field: 'id' })
    const { about_kind, about_id, merchant_id } = order
    const messages = await messagesOf(pool, merchant_id, id)
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
    noData(answerWorkOrder(deps, { number: params.id, ...body, operator: operator.email })),

  'POST /api/operator/v1/work-orders/:id/pictures': async ({ deps, params: { id: number }, request }) => {
    const order = await readAnyWorkOrder(deps.pool, number)
    if (!order) throw new Refusal('work_order_not_exist', { field: 'id' })
    return uploadOrderPicture(deps, { merchantId: order.merchant_id, number, file: await fileOf(request) })
  },

  'GET /api/operator/v1/work-orders/:id/pictures/:picture': async ({ deps, params: { id, picture }, reply }) =>
    answerPicture(reply, await readAnyPicture(deps.pool, id, picture)),

  'POST /api/operator/v1/work-orders/:id/close': ({ deps, params }) =>
    noData(closeWorkOrder(deps, { number: params.id })),

  'POST /api/operator/v1/work-orders/:id/reopen': ({ deps, params }) =>
    noData(reopenForOperator(deps, { number: params.id })),
})
