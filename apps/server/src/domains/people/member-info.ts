import type { RouteData } from '@coffer/contract'
import { listRefusedCalls } from '@coffer/contract/member-calls.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/context.ts'
import { first } from '../../kit/db.ts'
import { countMembersInSql, isPresentSql } from '../../kit/member.ts'

const countParts = first(
  'member-parts',
  `select ${countMembersInSql('$1')} as members,
     (select count(*)::int from members e where e.person_id = $2 and e.merchant_id <> '' and ${isPresentSql}) as shops`,
)

/**
 * Describes what somebody is in a shop, and which calls the role may not make; undefined for an owner who works alone,
 * and in no other shop.
 */
export async function describeMember(
  { pool }: Pick<Deps, 'pool'>,
  { personId, merchantId, role }: Pick<Session, 'personId' | 'merchantId' | 'role'>,
): Promise<RouteData<'GET /api/v1/user/info'>['member']> {
  const { members, shops } = (await countParts(pool, merchantId, personId))!
  if (role === 'owner' && members === 1 && shops === 1) return undefined
  return { role, shops, refused: listRefusedCalls(role) }
}
