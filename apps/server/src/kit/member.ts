import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { Refusal } from './refusal.ts'
import type { Visitor } from './visitor.ts'

/** SQL condition: a member `e` has the part now. An invitation is none yet. */
export const isPresentSql = 'e.removed_at is null and e.invitation_hash is null'

/** SQL of how many people work for a shop now. `merchantId` is a parameter. */
export const countMembersInSql = (merchantId: string) =>
  `(select count(*)::int from members e where e.merchant_id = ${merchantId} and ${isPresentSql})`

/** A member of a shop, and as what a request of the member was admitted. */
export interface MemberOfShop {
  personId: string
  merchantId: string
  role?: MerchantRole | undefined
}

/**
 * Returns who makes a request for a shop. Without a session, as in the sandbox, it is who opened the shop.
 * @throws Refusal('login_expired') for a session of another shop
 */
export function readMember(merchantId: string, { session }: Pick<Visitor, 'session'>): MemberOfShop {
  if (!session) return { merchantId, personId: merchantId }
  if (session.merchantId !== merchantId) throw new Refusal('login_expired')
  return session
}
