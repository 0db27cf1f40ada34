import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notificationSubjects } from '@coffer/contract/codes.ts'
import { findEventPage } from '@coffer/server/domains/notifications/event-pages.ts'
import { routes } from './routes.ts'

test('links in messages lead to pages that there are, and search what their pages read', () => {
  for (const kind of notificationSubjects) {
    const { pathname, searchParams } = new URL(findEventPage({ kind, id: '2'.repeat(32) }), 'https://pay.example')
    const page = routes.find(each => each.path === pathname)
    assert.ok(page, pathname)
    const given = Object.fromEntries(searchParams)
    const read = 'search' in page && page.search ? page.search(given) : {}
    assert.partialDeepStrictEqual(read, given, pathname)
  }
})
