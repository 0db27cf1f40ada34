import { z } from 'zod'
import { workOrderLimits, workOrderSubjects, workOrderTypes } from '../codes/work-orders.ts'
import { workOrderStatus } from '../codes.ts'
import { assistingRoles, officeRoles } from '../kit/merchant-roles.ts'
import { defineRoutes } from '../kit/route.ts'
import {
  codeFilter,
  listOf,
  optionalText,
  paging,
  requiredLine,
  requiredText,
  unixSeconds,
  validatedText,
  withAllowedHint,
} from '../kit/schemas.ts'
import { isCleanText } from '../kit/texts.ts'

export const isWorkOrderNumber = (value: string): boolean => /^W\d{10}$/.test(value)
export const workOrderNumber = withAllowedHint(validatedText(isWorkOrderNumber, 'parameter_error'), {
  en: 'the number of a work order, such as W1234567890',
  'zh-CN': '工单编号，例如 W1234567890',
})

/** Text of several lines. */
export const workOrderMessage = withAllowedHint(
  z
    .string()
    .max(workOrderLimits.text)
    .refine(value => value.trim() !== '' && isCleanText(value.replace(/[\n\t]/g, ' '))),
  {
    en: `text of 1 to ${workOrderLimits.text} characters`,
    'zh-CN': `1 至 ${workOrderLimits.text} 个字符的文本`,
  },
)
export const pictureId = withAllowedHint(
  validatedText(value => /^[0-9a-f]{32}$/.test(value), 'parameter_error'),
  { en: 'the id of an uploaded picture', 'zh-CN': '已上传图片的编号' },
)
/** Ids of uploaded pictures. */
export const pictures = z.array(z.string().max(100)).max(workOrderLimits.pictures).default([])
export const shownPictureFields = {
  pictures: z.array(z.string()).describe('Ids'),
  pictures_deleted: z.int().describe('How many were deleted, a week after the work order was closed'),
}
export const workOrderSubject = z.object({ kind: z.enum(workOrderSubjects), id: requiredText(64) })

export const workOrderRow = {
  number: z.string(),
  type: z.enum(workOrderTypes),
  theme: z.string(),
  status: z.int().describe('See workOrderStatus'),
  unread: z.boolean().describe('Whether there is an answer that was not read'),
  created_time: unixSeconds,
  updated_time: unixSeconds,
}
const done = z.object({ number: z.string() })

export const workOrderRoutes = defineRoutes({
  'GET /api/v1/work-order/list': {
    who: officeRoles,
    summary: 'List the work orders, last changed first',
    query: z.strictObject({
      ...paging,
      status: codeFilter(workOrderStatus),
      type: z.enum(workOrderTypes).optional(),
      text: optionalText(100).optional().describe('Part of the number, the theme or a message'),
    }),
    data: listOf(z.object({ ...workOrderRow, description: z.string().describe('The beginning of the first message') })),
  },
  'GET /api/v1/work-order': {
    who: officeRoles,
    summary: 'Get a work order with its messages, oldest first',
    query: z.strictObject({ number: workOrderNumber }),
    data: z.object({
      ...workOrderRow,
      about: workOrderSubject.nullable(),
      reopen_until: unixSeconds.describe('Until when a closed work order can be reopened; 0 for others'),
      messages: z.array(
        z.object({
          id: z.string(),
          author: z.enum(['merchant', 'operator']),
          text: z.string(),
          ...shownPictureFields,
          created_time: unixSeconds,
        }),
      ),
    }),
  },
  'POST /api/v1/work-order': {
    who: assistingRoles,
    summary: 'Create a work order, with up to 5 uploaded pictures, optionally about a payment, withdrawal or callback',
    body: z.strictObject({
      type: z.enum(workOrderTypes),
      theme: requiredLine(workOrderLimits.theme),
      description: workOrderMessage,
      pictures,
      about: z.strictObject(workOrderSubject.shape).optional(),
    }),
    data: done,
  },
  'POST /api/v1/work-order/picture': {
    who: assistingRoles,
    kind: 'multipart',
    summary:
      'Upload a picture for a message (field `file`): png, jpg, jpeg or gif under 3M. It is re-encoded in its size, and deleted a week after the work order was closed.',
    data: z.object({ id: z.string() }),
  },
  'GET /api/v1/work-order/picture': {
    who: officeRoles,
    kind: 'picture',
    summary: 'Get a picture of a message',
    query: z.strictObject({ id: pictureId }),
    data: z.any(),
  },
  'POST /api/v1/work-order/reply': {
    who: assistingRoles,
    summary: 'Add a message to an open work order',
    body: z.strictObject({ number: workOrderNumber, text: workOrderMessage, pictures }),
    data: done,
  },
  'POST /api/v1/work-order/close': {
    who: assistingRoles,
    summary: 'Close a work order',
    body: z.strictObject({ number: workOrderNumber }),
    data: done,
  },
  'POST /api/v1/work-order/reopen': {
    who: assistingRoles,
    summary: 'Reopen a closed work order with a message, within 7 days',
    body: z.strictObject({ number: workOrderNumber, text: workOrderMessage, pictures }),
    data: done,
  },
  'PUT /api/v1/work-order/read': {
    who: assistingRoles,
    summary: 'Mark the answers of a work order as read',
    body: z.strictObject({ number: workOrderNumber }),
    data: z.object({ unread: z.int() }),
  },
})
