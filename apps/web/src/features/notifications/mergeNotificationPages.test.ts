import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeNotificationPages } from './mergeNotificationPages.ts'

const entry = (id: number, status: 1 | 2 = 2, title = `n${id}`) =>
  ({ id: String(id), status, title }) as Parameters<typeof mergeNotificationPages>[1]['list'][number]
const page = (total: number, unread: number, ...list: ReturnType<typeof entry>[]) =>
  ({ total, unread, unread_money: 0, work_orders: 0, list }) as Parameters<typeof mergeNotificationPages>[1]
const known = [page(5, 5, entry(9), entry(8)), page(5, 5, entry(7), entry(6))]

test('new entries move the known ones down, and a full page stays full', () => {
  const pages = mergeNotificationPages(known, page(6, 6, entry(10), entry(9)), 'notices') ?? []
  const shown = pages.map(({ total, list }) => `${total}: ${list.map(each => each.id)}`)
  assert.deepEqual(shown, ['6: 10,9', '6: 8,7'])
  assert.deepEqual(mergeNotificationPages(known, page(5, 4, entry(9, 1), entry(8)), 'notices')?.[1], {
    ...known[1],
    unread: 4,
  })
})

test('pages are read again when more came, one was read elsewhere or went, or the language is another', () => {
  for (const first of [
    page(7, 7, entry(11), entry(10)),
    page(6, 5, entry(10), entry(9)),
    page(5, 4, entry(9), entry(8)),
    page(4, 4, entry(9), entry(8)),
    page(5, 5, entry(9, 2, 'n九'), entry(8)),
  ])
    assert.equal(mergeNotificationPages(known, first, 'notices'), null)
})

test('money that moved does not change the list of notices, nor a notice that of money', () => {
  const more = { ...page(5, 9, entry(9), entry(8)), unread_money: 4 }
  assert.ok(mergeNotificationPages(known, more, 'notices'))
  const money = known.map(each => ({ ...each, unread_money: 5 }))
  assert.ok(mergeNotificationPages(money, { ...page(5, 8, entry(9), entry(8)), unread_money: 5 }, 'money'))
  assert.equal(mergeNotificationPages(money, { ...page(5, 8, entry(9), entry(8)), unread_money: 4 }, 'money'), null)
})
