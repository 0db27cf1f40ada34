import { notificationStatus } from '@coffer/contract/codes.ts'
import type { Data } from '../../api/types.ts'

type Page = Data<'GET /api/v1/message'>

const unreadOf = (list: Page['list']) => list.filter(each => each.status === notificationStatus.unread).length

/**
 * The pages known so far with the entries of a first page that was read anew. Null if these do not account for its counts, or an
 * entry has another text: then later pages may have changed, too.
 */
export function keepPages(known: readonly Page[], first: Page): Page[] | null {
  const old = known.flatMap(page => page.list)
  const before = new Map(old.map(each => [each.id, each]))
  const fresh = new Set(first.list.map(each => each.id))
  const met = first.list.filter(each => before.has(each.id))
  const all = [...first.list, ...old.filter(each => !fresh.has(each.id))]
  const { total = 0, unread = 0 } = known[0] ?? {}
  const textOf = ({ title, content }: Page['list'][number]) => `${title}\n${content}`
  const isSame =
    met.length > 0 &&
    met.every(each => textOf(before.get(each.id)!) === textOf(each)) &&
    total + all.length - old.length === first.total &&
    unread + unreadOf(all) - unreadOf(old) === first.unread
  const size = first.list.length
  return isSame ? known.map((_, page) => ({ ...first, list: all.slice(page * size, (page + 1) * size) })) : null
}
