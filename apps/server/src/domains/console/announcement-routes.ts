import { toEmptyAnswer } from '../../http/context.ts'
import {
  announcementState,
  newestAnnouncements,
  publishAnnouncement,
  withdrawAnnouncement,
} from '../notifications/announce.ts'
import { defineConsoleHandlers } from './context.ts'

export const announcementHandlers = defineConsoleHandlers({
  'GET /api/operator/v1/announcements': async ({ deps: { pool, clock } }) => ({
    list: (await newestAnnouncements(pool)).map(row => ({
      id: row.id,
      ...row.texts,
      mchids: row.mchids ?? [],
      receivers: row.receivers,
      operator: row.operator,
      state: announcementState(row, clock()),
      created_time: row.created_at,
      ends_time: row.ends_at,
    })),
  }),

  'POST /api/operator/v1/announcements': async ({ deps, operator, body: { mchids, ends_time, ...texts } }) =>
    publishAnnouncement(deps, {
      texts,
      mchids: mchids.length > 0 ? mchids : null,
      ends_at: ends_time,
      operator: operator.email,
    }),

  'POST /api/operator/v1/announcements/:id/withdraw': ({ deps, params }) =>
    toEmptyAnswer(withdrawAnnouncement(deps, params)),
})
