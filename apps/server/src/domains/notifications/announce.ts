import { notificationStatus } from '@coffer/contract/codes.ts'
import type { ListedEvent } from '@coffer/contract/events.ts'
import { isNonBlankText } from '@coffer/contract/kit/texts.ts'
import { type AnnouncementTexts, announcementLimits } from '@coffer/contract/notifications/operator.ts'
import type { Deps } from '../../deps.ts'
import { all, first, run, tx } from '../../kit/db.ts'
import { buildNotificationIdSql, insertNotificationForAll, liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'

const { read, unread } = notificationStatus
const name: ListedEvent = 'announcement'
const withdrawnName: ListedEvent = 'announcement_withdrawn'

const insert = run(
  'announcement-insert',
  `insert into announcements (id, texts, mchids, receivers, operator, created_at, ends_at)
   values ($1, $2::jsonb, $3, $4, $5, $6, $7)`,
)
const missing = first(
  'announcement-missing',
  `select mchid from unnest($1::text[]) as given (mchid)
   where not exists (select from merchants m where m.mchid = given.mchid and m.deleted_at is null) limit 1`,
)
/** Takes an announcement out of the tickers by marking it as read; a withdrawn one also loses its text. */
const endNotifications = all(
  'announcement-end-notifications',
  `update notifications n set status = ${read}, message = coalesce($2, n.message) from members e
   where n.merchant_id = e.merchant_id and n.id = ${buildNotificationIdSql('$1::text')} and e.shop_id is not null and (n.status = ${unread} or n.message <> coalesce($2, n.message))
   returning n.merchant_id`,
)
const setOver = run('announcement-over', 'update announcements set over_at = $2, withdrawn = $3 where id = $1')
const lock = first('announcement-lock', 'select withdrawn from announcements where id = $1 for update')
const lockDue = all(
  'announcement-due',
  'select id from announcements where over_at is null and ends_at <= $1 order by id limit 20 for update skip locked',
)
// Listed, not `*`: a column that a later version adds must not change what a prepared statement returns.
const columns = 'id, texts, mchids, receivers, operator, created_at, ends_at, over_at, withdrawn'
export const readAnnouncement = first('announcement-read', `select ${columns} from announcements where id = $1`)
export const newestAnnouncements = all(
  'announcements-newest',
  `select ${columns} from announcements order by created_at desc, id desc limit 100`,
)

interface Announcement {
  texts: AnnouncementTexts
  /** Null: every merchant. */
  mchids: string[] | null
  ends_at: number
  operator: string
}

/** Announces something to merchants, in the ticker and as a notification, until a time. Returns how many receive it. */
export async function publishAnnouncement(
  deps: Deps,
  announcement: Announcement,
): Promise<{ id: string; receivers: number }> {
  const { texts, ends_at, operator } = announcement
  const mchids = announcement.mchids && [...new Set(announcement.mchids.map(mchid => mchid.trim().toUpperCase()))]
  for (const [field, text] of Object.entries(texts)) {
    const max = announcementLimits[field.startsWith('title_') ? 'title' : 'content']
    if (!isNonBlankText(text) || text.length > max) throw new Refusal('text_needed', { field })
  }
  const now = deps.clock()
  if (ends_at <= now || ends_at > now + announcementLimits.seconds)
    throw new Refusal('announcement_end', { field: 'ends_time' })
  return tx(deps.pool, async (c, uow) => {
    if (mchids) {
      const stranger = await missing(c, mchids)
      if (stranger) throw new Refusal('merchant_not_exist', { field: 'mchids' })
    }
    const notification = { name, params: texts, created_at: now } as const
    const { id, receivers } = await insertNotificationForAll(uow, notification, mchids)
    await insert(c, id, JSON.stringify(texts), mchids, receivers, operator, now, ends_at)
    return { id, receivers }
  })
}

/**
 * Withdraws an announcement, running or ended: merchants read that it was withdrawn in place of its text. Idempotent.
 */
export const withdrawAnnouncement = (deps: Deps, { id }: { id: string }): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    const found = await lock(c, id)
    if (!found) throw new Refusal('announcement_not_exist', { field: 'id' })
    if (found.withdrawn) return
    await setOver(c, id, deps.clock(), true)
    hint(uow, await endNotifications(c, id, withdrawnName), id)
  })

/** Takes announcements whose time is over out of the tickers. They stay among the notifications. */
export const endAnnouncements = (deps: Pick<Deps, 'pool' | 'clock'>): Promise<boolean> =>
  tx(deps.pool, async (c, uow) => {
    const due = await lockDue(c, deps.clock())
    for (const { id } of due) {
      await setOver(c, id, deps.clock(), false)
      hint(uow, await endNotifications(c, id, null), id)
    }
    return due.length > 0
  })

const hint = (uow: UnitOfWork, rows: readonly { merchant_id: string }[], id: string) =>
  uow.add(
    liveHints,
    [...new Set(rows.map(row => row.merchant_id))].map(merchant_id => ({ merchant_id, type: 'notification', id })),
  )

type Row = NonNullable<Awaited<ReturnType<typeof readAnnouncement>>>

export const announcementState = ({ withdrawn, over_at, ends_at }: Row, now: number) =>
  withdrawn ? 'withdrawn' : over_at !== null || ends_at <= now ? 'ended' : 'running'
