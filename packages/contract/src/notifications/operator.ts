import { z } from 'zod'
import { readingRoles, supportRoles } from '../kit/operator-roles.ts'
import { defineOperatorRoutes } from '../kit/operator-route.ts'
import { emptyObject, id, requiredLine, requiredText, unixSeconds } from '../kit/schemas.ts'

export const announcementLimits = { title: 100, content: 2_000, merchants: 1_000, seconds: 366 * 86_400 } as const

const title = requiredLine(announcementLimits.title)
const content = requiredText(announcementLimits.content)
const texts = { title_en: title, content_en: content, title_zh: title, content_zh: content }
/** The text of an announcement, in each language. */
export type AnnouncementTexts = z.output<z.ZodObject<typeof texts>>

/** What merchants read in the ticker and among their notifications. */
export const announcementRoutes = defineOperatorRoutes({
  'GET /api/operator/v1/announcements': {
    who: readingRoles,
    summary: 'List the newest 100 announcements',
    data: z.object({
      list: z.array(
        z.object({
          id: z.string(),
          title_en: z.string(),
          content_en: z.string(),
          title_zh: z.string(),
          content_zh: z.string(),
          /** Empty: every merchant. */
          mchids: z.array(z.string()),
          receivers: z.int(),
          operator: z.string(),
          state: z.enum(['running', 'ended', 'withdrawn']),
          created_time: unixSeconds,
          ends_time: unixSeconds,
        }),
      ),
    }),
  },
  'POST /api/operator/v1/announcements': {
    who: supportRoles,
    object: 'announcement',
    dialog: {
      button: { en: 'Publish announcement', 'zh-CN': '发布公告' },
      text: {
        en: 'It runs in each merchant’s ticker until it is read or ends.',
        'zh-CN': '公告会在每个商户的公告栏中滚动展示，直至商户阅读或到达结束时间。',
      },
      done: { en: 'Announcement published', 'zh-CN': '公告已发布' },
      look: 'primary',
    },
    title: { en: 'Published an announcement', 'zh-CN': '发布公告' },
    summary: 'Announce something to all or some merchants, until a time',
    body: z.strictObject({
      ...texts,
      mchids: z.array(id).max(announcementLimits.merchants).default([]).describe('Empty: every merchant'),
      ends_time: unixSeconds,
    }),
    data: z.object({ id: z.string(), receivers: z.int() }),
  },
  'POST /api/operator/v1/announcements/:id/withdraw': {
    who: supportRoles,
    object: 'announcement',
    dialog: {
      button: { en: 'Withdraw', 'zh-CN': '撤回' },
      text: {
        en: 'It leaves the tickers at once. Merchants see that it was withdrawn instead of its text.',
        'zh-CN': '公告将立即从公告栏移除，商户看到的内容会替换为撤回提示。',
      },
      look: 'danger',
    },
    title: { en: 'Withdrew the announcement', 'zh-CN': '撤回公告' },
    command: {
      name: 'announcement withdraw',
      help: 'withdraw an announcement; merchants can no longer read it',
      done: '{id} is withdrawn.',
    },
    summary: 'Withdraw an announcement: it leaves the tickers, and nobody can read it any more',
    params: z.strictObject({ id }),
    data: emptyObject,
  },
})
