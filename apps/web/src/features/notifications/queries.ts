import { type NotificationGroup, notificationStatus, notificationType } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { type InfiniteData, infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { showFailureToast } from '../../api/explain.ts'
import { api, type RouteData } from '../../api/index.ts'
import { apiQuery, queryClient } from '../../api/query.ts'
import { cell } from '../../lib/cell.ts'
import { refused } from '../../lib/refused.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { useCell } from '../../lib/useCell.ts'
import { mergeNotificationPages, unreadCountInGroup } from './mergeNotificationPages.ts'
import { createReadMarkBatch } from './readBatch.ts'

export type MerchantNotification = RouteData<'GET /api/v1/message'>['list'][number]

const list = 'GET /api/v1/message'

type Page = RouteData<typeof list>

/** The pages of each group after the first was read again, where it tells them all. */
const pagesKnown: Record<NotificationGroup, Page[] | null> = { notices: null, money: null }

/**
 * Notifications of a group, newest first, ten per page. Each page includes the unread counts of all. To read all pages
 * again takes a call for each, so that the first alone is read as long as it accounts for the counts.
 */
export const notificationPagesQuery = (group: NotificationGroup) =>
  infiniteQueryOptions({
    queryKey: [list, 'pages', group],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const page = pagesKnown[group]?.[pageParam - 1]
      if (pageParam > 1 && page) return page
      const pageSize = limits.notificationPageSize
      const answer = await api(list, { query: { current: pageParam, pageSize, group }, signal })
      if (pageParam === 1) pagesKnown[group] = mergeNotificationPages(pagesOf(group), answer, group)
      return answer
    },
    getNextPageParam: (last, pages) =>
      pages.length * limits.notificationPageSize < last.total && last.list.length > 0 ? pages.length + 1 : undefined,
  })

const pagesOf = (group: NotificationGroup): readonly Page[] =>
  queryClient.getQueryData<InfiniteData<Page>>([list, 'pages', group])?.pages ?? []
const rowsOf = (group: NotificationGroup) => pagesOf(group).flatMap(page => page.list)

/** Unread announcements. */
export const unreadAnnouncementsQuery = apiQuery(list, {
  query: { read: notificationStatus.unread, types: notificationType.announcement, current: 1, pageSize: 10 },
})

/** Marks the entries of the pages read so far: to read all pages again takes a call for each. */
function showRead(ids: readonly (string | number)[]): void {
  const all = ids.includes(-1)
  const isMarked = ({ id, status }: MerchantNotification) =>
    status === notificationStatus.unread && (all || ids.includes(id))
  const notices = rowsOf('notices').filter(isMarked).length
  const money = rowsOf('money').filter(isMarked).length
  const pageOf = (page: Page): Page => ({
    ...page,
    unread: all ? 0 : Math.max(0, page.unread - notices - money),
    unread_money: all ? 0 : Math.max(0, page.unread_money - money),
    list: page.list.map(each => (isMarked(each) ? { ...each, status: notificationStatus.read } : each)),
  })
  for (const group of ['notices', 'money'] as const)
    queryClient.setQueryData<InfiniteData<Page>>(
      [list, 'pages', group],
      known => known && { ...known, pages: known.pages.map(pageOf) },
    )
}

export const readMarkBatch = createReadMarkBatch(async ids => {
  // Who may only read leaves them unread for the others.
  if (refused.get().includes('PUT /api/v1/message/read')) return
  try {
    await api('PUT /api/v1/message/read', { body: { message_ids: ids as (string | -1)[] }, guarded: false })
    showRead(ids)
    await queryClient.invalidateQueries({ queryKey: [list], predicate: ({ queryKey }) => queryKey[1] !== 'pages' })
  } catch (error) {
    showFailureToast(error as Error)
    throw error
  }
})

/** Whether a notification is unread, including local marks. */
export function useIsUnread(): (notification: MerchantNotification) => boolean {
  const { ids, all } = useCell(readMarkBatch.state)
  return notification => notification.status === notificationStatus.unread && !all && !ids.has(notification.id)
}

/** The server's unread counts of each group less local marks, and what the bell says of them. */
export function useUnreadCounts(): Record<NotificationGroup | 'counted', number> {
  const { ids, all } = useCell(readMarkBatch.state)
  const first = useInfiniteQuery(notificationPagesQuery('notices')).data?.pages[0]
  const isMoneyCounted = useCell(isMoneyInBellCount)
  if (!first || all) return { notices: 0, money: 0, counted: 0 }
  const marked = rowsOf('money').filter(each => ids.has(each.id)).length
  const notices = Math.max(0, unreadCountInGroup(first, 'notices') - (ids.size - marked))
  const money = Math.max(0, unreadCountInGroup(first, 'money') - marked)
  return { notices, money, counted: notices + (isMoneyCounted ? money : 0) }
}

/** Whether the bell of this device also counts money that moved as it should. A busy shop has too much of it. */
export const isMoneyInBellCount = cell(readStored('bell') === 'money')

export function setMoneyInBellCount(counts: boolean): void {
  writeStored('bell', counts ? 'money' : null)
  isMoneyInBellCount.set(counts)
}
