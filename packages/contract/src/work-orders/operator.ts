import { z } from 'zod'
import { workOrderTypes } from '../codes/work-orders.ts'
import { workOrderStatus } from '../codes.ts'
import { readingRoles, supportRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { codeFilter, emptyObject, listOf, optionalText, paging, unixSeconds } from '../kit/schemas.ts'
import {
  pictureId,
  pictures,
  shownPictureFields,
  workOrderMessage,
  workOrderNumber,
  workOrderRow,
  workOrderSubject,
} from './routes.ts'

const row = z.object({ ...workOrderRow, mchid: z.string(), email: z.string(), merchant: z.string() })
const withId = z.strictObject({ id: workOrderNumber })

/** Questions of merchants, which operators answer. */
export const operatorWorkOrderRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/work-orders': {
    who: readingRoles,
    summary: 'List work orders: unanswered ones first, the oldest first, then others, last changed first',
    query: z.strictObject({
      ...paging,
      status: codeFilter(workOrderStatus),
      type: z.enum(workOrderTypes).optional(),
      text: optionalText(100).optional().describe('Part of the number, the theme, a message or the merchant'),
    }),
    data: listOf(row),
  },
  'GET /api/operator/v1/work-orders/:id': {
    who: readingRoles,
    summary: 'Read a work order with its messages, oldest first',
    params: withId,
    data: row.extend({
      about: workOrderSubject.nullable(),
      messages: z.array(
        z.object({
          id: z.string(),
          /** Who answered; empty: the merchant. */
          operator: z.string(),
          text: z.string(),
          ...shownPictureFields,
          created_time: unixSeconds,
        }),
      ),
    }),
  },
  'POST /api/operator/v1/work-orders/:id/answer': {
    who: supportRoles,
    object: 'work_order',
    dialog: null,
    title: { en: 'Answered the work order', 'zh-CN': '回复工单' },
    summary: 'Answer a work order; the merchant is notified and mailed',
    params: withId,
    body: z.strictObject({ text: workOrderMessage, pictures }),
    data: emptyObject,
  },
  'POST /api/operator/v1/work-orders/:id/pictures': {
    who: supportRoles,
    object: 'work_order',
    dialog: null,
    title: { en: 'Attached a picture', 'zh-CN': '上传工单图片' },
    kind: 'multipart',
    summary: 'Upload a picture for an answer (field `file`): png, jpg, jpeg or gif under 3M',
    params: withId,
    data: z.object({ id: z.string() }),
  },
  'GET /api/operator/v1/work-orders/:id/pictures/:picture': {
    who: readingRoles,
    kind: 'picture',
    summary: 'Get a picture of a message',
    params: withId.extend({ picture: pictureId }),
    data: z.any(),
  },
  'POST /api/operator/v1/work-orders/:id/close': {
    who: supportRoles,
    object: 'work_order',
    dialog: {
      button: { en: 'Close the work order', 'zh-CN': '关闭工单' },
      text: {
        en: 'The merchant is notified and can reopen it within 7 days.',
        'zh-CN': '商户会收到通知，并可在 7 天内重新打开。',
      },
    },
    title: { en: 'Closed the work order', 'zh-CN': '关闭工单' },
    command: {
      name: 'work-order close',
      done: '{id} is closed.',
    },
    summary: 'Close a work order; the merchant can reopen it for 7 days',
    params: withId,
    data: emptyObject,
  },
  'POST /api/operator/v1/work-orders/:id/reopen': {
    who: supportRoles,
    object: 'work_order',
    dialog: {
      button: { en: 'Reopen', 'zh-CN': '重新打开' },
      text: {
        en: 'The work order is open for an answer again. The merchant is notified.',
        'zh-CN': '工单将重新等待回复，商户会收到通知。',
      },
    },
    title: { en: 'Reopened the work order', 'zh-CN': '重新打开工单' },
    command: {
      name: 'work-order reopen',
      done: '{id} is open.',
    },
    summary: 'Reopen a closed work order, whenever it was closed',
    params: withId,
    data: emptyObject,
  },
})
