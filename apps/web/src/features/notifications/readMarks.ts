import { notificationStatus } from '@coffer/contract/codes.ts'
import type { InfiniteData } from '@tanstack/react-query'
import { showFailureToast } from '../../api/explain.ts'
import { api } from '../../api/index.ts'
import { queryClient } from '../../api/query.ts'
import { refused } from '../../lib/refused.ts'
import { writeStored } from '../../lib/storage.ts'
import {
  isMoneyInBellCount,
  list,
  localReadMarks,
  type MerchantNotification,
  type NotificationPage as Page,
  rowsOf,
} from './queries.ts'
import { createReadMarkBatch } from './readBatch.ts'

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
}, localReadMarks)

export function setMoneyInBellCount(counts: boolean): void {
  writeStored('bell', counts ? 'money' : null)
  isMoneyInBellCount.set(counts)
}
