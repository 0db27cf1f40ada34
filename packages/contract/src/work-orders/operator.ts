import { z } from 'zod'
import { workOrderTypes } from '../codes/work-orders.ts'
import { workOrderStatus } from '../codes.ts'
import { defineRoutes } from '../kit/route.ts'
import { empty, filterBy, listOf, optionalText, paging, unixSeconds } from '../kit/schemas.ts'
import {
  pictureId,
  pictures,
  picturesShown,
  workOrderMessage,
  workOrderNumber,
  workOrderRow,
  workOrderSubject,
} from './routes.ts'

const row = z.object({ ...workOrderRow, mchid: z.string(), email: z.string(), merchant: z.string() })
const withId = z.strictObject({ id: workOrderNumber })

/** Questions of merchants, which operators answer. */
export const operatorWorkOrderRoutes = defineRoutes({
  'GET /api/operator/v1/work-orders': {
    summary: 'List work orders: unanswered ones first, the oldest first, then others, last changed first',
    query: z.strictObject({
      ...paging,
      status: filterBy(workOrderStatus),
      type: z.enum(workOrderTypes).optional(),
      text: optionalText(100).optional().describe('Part of the number, the theme, a message or the merchant'),
    }),
    data: listOf(row),
  },
  'GET /api/operator/v1/work-orders/:id': {
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
          ...picturesShown,
          created_time: unixSeconds,
        }),
      ),
    }),
  },
  'POST /api/operator/v1/work-orders/:id/answer': {
    summary: 'Answer a work order; the merchant is notified and mailed',
    params: withId,
    body: z.strictObject({ text: workOrderMessage, pictures }),
    data: empty,
  },
  'POST /api/operator/v1/work-orders/:id/pictures': {
    kind: 'multipart',
    summary: 'Upload a picture for an answer (field `file`): png, jpg, jpeg or gif under 3M',
    params: withId,
    data: z.object({ id: z.string() }),
  },
  'GET /api/operator/v1/work-orders/:id/pictures/:picture': {
    kind: 'picture',
    summary: 'Get a picture of a message',
    params: withId.extend({ picture: pictureId }),
    data: z.any(),
  },
  'POST /api/operator/v1/work-orders/:id/close': {
    summary: 'Close a work order; the merchant can reopen it for 7 days',
    params: withId,
    data: empty,
  },
  'POST /api/operator/v1/work-orders/:id/reopen': {
    summary: 'Reopen a closed work order, whenever it was closed',
    params: withId,
    data: empty,
  },
})
