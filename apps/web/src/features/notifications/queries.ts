import { type NotificationGroup, notificationStatus, notificationType } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { type InfiniteData, infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { api, type RouteData } from '../../api/index.ts'
import { apiQuery, queryClient } from '../../api/query.ts'
import { cell } from '../../lib/cell.ts'
import { readStored } from '../../lib/storage.ts'
import { useCell } from '../../lib/useCell.ts'
import { mergeNotificationPages, unreadCountInGroup } from './mergeNotificationPages.ts'
import type { LocalReadMarks } from './readBatch.ts'

export type MerchantNotification = RouteData<'GET /api/v1/message'>['list'][number]

export const list = 'GET /api/v1/message'

export type NotificationPage = RouteData<typeof list>
type Page = NotificationPage

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
export const rowsOf = (group: NotificationGroup) => pagesOf(group).flatMap(page => page.list)

/** Unread announcements. */
export const unreadAnnouncementsQuery = apiQuery(list, {
  query: { read: notificationStatus.unread, types: notificationType.announcement, current: 1, pageSize: 10 },
})

/** Notifications marked as read here, before the server confirms. */
export const localReadMarks = cell<LocalReadMarks>({ ids: new Set(), all: false })

/** Whether a notification is unread, including local marks. */
export function useIsUnread(): (notification: MerchantNotification) => boolean {
  const { ids, all } = useCell(localReadMarks)
  return notification => notification.status === notificationStatus.unread && !all && !ids.has(notification.id)
}

/** The server's unread counts of each group less local marks, and what the bell says of them. */
export function useUnreadCounts(): Record<NotificationGroup | 'counted', number> {
  const { ids, all } = useCell(localReadMarks)
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
