import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { Refusal } from './refusal.ts'
import type { Visitor } from './visitor.ts'

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
