import { type NotificationGroup, notificationStatus } from '@coffer/contract/codes.ts'
import type { RouteData } from '../../api/types.ts'

type Page = RouteData<'GET /api/v1/message'>

const unreadOf = (list: Page['list']) => list.filter(each => each.status === notificationStatus.unread).length

/** How many of a group are unread, as a page says. */
export const unreadCountInGroup = (
  { unread, unread_money }: Pick<Page, 'unread' | 'unread_money'>,
  group: NotificationGroup,
): number => (group === 'money' ? unread_money : unread - unread_money)

/**
 * The pages of a group known so far with the entries of a first page that was read anew. Null if these do not account
 * for its counts, or an entry has another text: then later pages may have changed, too.
 */
export function mergeNotificationPages(known: readonly Page[], first: Page, group: NotificationGroup): Page[] | null {
  const old = known.flatMap(page => page.list)
  const before = new Map(old.map(each => [each.id, each]))
  const fresh = new Set(first.list.map(each => each.id))
  const met = first.list.filter(each => before.has(each.id))
  const all = [...first.list, ...old.filter(each => !fresh.has(each.id))]
  const total = known[0]?.total ?? 0
  const unread = known[0] ? unreadCountInGroup(known[0], group) : 0
  const textOf = ({ title, content }: Page['list'][number]) => `${title}\n${content}`
  const isSame =
    met.length > 0 &&
    met.every(each => textOf(before.get(each.id)!) === textOf(each)) &&
    total + all.length - old.length === first.total &&
    unread + unreadOf(all) - unreadOf(old) === unreadCountInGroup(first, group)
  const size = first.list.length
  return isSame ? known.map((_, page) => ({ ...first, list: all.slice(page * size, (page + 1) * size) })) : null
}
