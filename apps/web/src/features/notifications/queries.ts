import { notificationStatus, notificationType } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/limits.ts'
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { explainFailure } from '../../api/explain.ts'
import { api, type Data } from '../../api/index.ts'
import { apiQuery, queryClient } from '../../api/query.ts'
import { useCell } from '../../lib/useCell.ts'
import { keepPages } from './keepPages.ts'
import { createReadBatch } from './readBatch.ts'

export type Notification = Data<'GET /api/v1/message'>['list'][number]

const list = 'GET /api/v1/message'

/** The pages after the first was read again, where it tells them all. */
let kept: Data<typeof list>[] | null = null

/**
 * Notifications, newest first, ten per page. Each page includes the total unread count. To read all pages again takes a call for
 * each, so that the first alone is read as long as it accounts for the counts.
 */
export const notificationPages = infiniteQueryOptions({
  queryKey: [list, 'pages'],
  initialPageParam: 1,
  queryFn: async ({ pageParam, signal }) => {
    const page = kept?.[pageParam - 1]
    if (pageParam > 1 && page) return page
    const answer = await api(list, { query: { current: pageParam, pageSize: limits.notificationPageSize }, signal })
    if (pageParam > 1) return answer
    kept = keepPages(queryClient.getQueryData<InfiniteData<typeof answer>>([list, 'pages'])?.pages ?? [], answer)
    return answer
  },
  getNextPageParam: (last, pages) =>
    pages.length * limits.notificationPageSize < last.total && last.list.length > 0 ? pages.length + 1 : undefined,
})

/** Unread announcements. */
export const announcements = apiQuery(list, {
  query: { read: notificationStatus.unread, types: notificationType.announcement, current: 1, pageSize: 10 },
})

/** Marks the entries of the pages read so far: to read all pages again takes a call for each. */
function showRead(ids: readonly (string | number)[]): void {
  const all = ids.includes(-1)
  queryClient.setQueryData(notificationPages.queryKey, known => {
    if (!known) return known
    const isMarked = ({ id, status }: Notification) => status === notificationStatus.unread && (all || ids.includes(id))
    const marked = known.pages.flatMap(page => page.list.filter(isMarked)).length
    const pages = known.pages.map(page => ({
      ...page,
      unread: all ? 0 : Math.max(0, page.unread - marked),
      list: page.list.map(each => (isMarked(each) ? { ...each, status: notificationStatus.read } : each)),
    }))
    return { ...known, pages }
  })
}

export const readBatch = createReadBatch(async ids => {
  try {
    await api('PUT /api/v1/message/read', { body: { message_ids: ids as (string | -1)[] }, guarded: false })
    showRead(ids)
    await queryClient.invalidateQueries({ queryKey: [list], predicate: ({ queryKey }) => queryKey[1] !== 'pages' })
  } catch (error) {
    explainFailure(error as Error)
    throw error
  }
})

/** Whether a notification is unread, including local marks. */
export function useIsUnread(): (notification: Notification) => boolean {
  const { ids, all } = useCell(readBatch.state)
  return notification => notification.status === notificationStatus.unread && !all && !ids.has(notification.id)
}

/** The server's unread count less local marks. */
export function useUnreadCount(onServer: number): number {
  const { ids, all } = useCell(readBatch.state)
  return all ? 0 : Math.max(0, onServer - ids.size)
}
