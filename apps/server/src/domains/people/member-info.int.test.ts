import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { routes } from '@coffer/contract'
import { withDeps } from '../../testing/deps.ts'
import { testMember } from '../../testing/members.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { describeMember } from './member-info.ts'
import { hasSeveralMembers } from './members.ts'

const deps = await withDeps({ after })
const { owner } = deps

test('who works alone is told nothing of roles, others what they are and may not do', async () => {
  const { id, session } = await testMerchant(deps, { password_hash: null })
  assert.equal(await describeMember(deps, session), undefined)
  assert.equal(await hasSeveralMembers(deps.pool, id), false)
  const viewer = await testMember(deps, owner, { merchantId: id, role: 'viewer' })
  assert.deepEqual(await describeMember(deps, session), { role: 'owner', shops: 1, refused: [] })
  assert.equal(await hasSeveralMembers(deps.pool, id), true)
  const described = await describeMember(deps, (await viewer.signIn()).session)
  assert.equal(described!.role, 'viewer')
  assert.equal(described!.shops, 2)
  assert.ok(described!.refused.includes('POST /api/v1/account/withdrawal'))
  assert.ok(!described!.refused.includes('GET /api/v1/statistics/overview'))
  for (const key of described!.refused) assert.ok(Object.hasOwn(routes, key), key)
  // In the shop of their own they know of the other one.
  const own = { personId: viewer.personId, merchantId: viewer.personId, role: 'owner' } as const
  assert.deepEqual(await describeMember(deps, own), { role: 'owner', shops: 2, refused: [] })
  assert.equal(await hasSeveralMembers(deps.pool, viewer.personId), false, 'nobody else works there')
  await owner.query('update members set removed_at = 1 where person_id = $1 and merchant_id = $2', [
    viewer.personId,
    id,
  ])
  assert.equal(await describeMember(deps, own), undefined)
  assert.equal(await describeMember(deps, session), undefined)
  assert.equal(await hasSeveralMembers(deps.pool, id), false)
})
