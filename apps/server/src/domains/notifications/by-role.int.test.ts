import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RouteData } from '@coffer/contract'
import { notificationType } from '@coffer/contract/codes.ts'
import { merchantRoleNames } from '@coffer/contract/kit/merchant-roles.ts'
import { makeApp } from '../../serve.ts'
import { withDeps } from '../../testing/deps.ts'
import { testMember } from '../../testing/members.ts'
import { testMerchant } from '../../testing/merchants.ts'

const deps = await withDeps({ after })
const { owner } = deps
const app = await makeApp(deps)
after(() => app.close())

test('who does not read everything of the shop reads announcements alone, whatever the filter', async () => {
  const { id: merchantId } = await testMerchant(deps, { password_hash: null })
  const now = deps.clock()
  const rows = Object.values(notificationType).map(type => ({ type, id: `n${type}-${merchantId}` }))
  for (const { type, id } of rows)
    await owner.query(
      `insert into notifications (id, merchant_id, types, message, params, status, created_at)
       values ($1, $2, $3, $4, '{}', 2, $5)`,
      [id, merchantId, type, type === notificationType.announcement ? 'announcement' : 'welcome', now],
    )
  for (const role of merchantRoleNames) {
    const { token } = await (await testMember(deps, owner, { merchantId, role })).signIn()
    const seen = new Set<number>()
    let unread = 0
    for (const query of [
      '',
      'all=1',
      'group=notices',
      'group=money',
      ...rows.map(({ type }) => `types=${type}&all=1`),
    ]) {
      const answer = await app.inject({ url: `/api/v1/message?${query}`, headers: { 'x-token': token } })
      const { data } = answer.json() as { data: RouteData<'GET /api/v1/message'> }
      for (const { types } of data.list) seen.add(types)
      unread = data.unread
    }
    const readsAll = ['owner', 'finance', 'viewer'].includes(role)
    assert.deepEqual(
      [...seen].sort(),
      readsAll ? Object.values(notificationType) : [notificationType.announcement],
      role,
    )
    // The sign-in of who opened the shop is one more.
    assert.equal(unread, readsAll ? rows.length + 1 : 1, role)
  }
})
