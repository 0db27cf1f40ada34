import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'

/** Returns whose chain of the audit log a member reads: owners the shop's, others their own. */
export const readableChain = ({
  personId,
  merchantId,
  role,
}: {
  personId: string
  merchantId: string
  role: MerchantRole
}): string => (role === 'owner' ? merchantId : personId)
