import { emailCodePurpose, type ProofAction, proofActions } from '../codes/proofs.ts'
import { integratingRoles, type MerchantRole, moneyRoles, ownerRoles, refundingRoles } from '../kit/merchant-roles.ts'

/** Who confirms actions of the shop; others are also about the person, such as leaving, whatever the role. */
const rolesOfActions: Partial<Record<ProofAction, readonly MerchantRole[]>> = {
  withdrawal: refundingRoles,
  transfer: moneyRoles,
  'address-book': moneyRoles,
  'withdrawal-settings': moneyRoles,
  'mark-payment': moneyRoles,
  application: integratingRoles,
  'notify-url': integratingRoles,
  'close-account': ownerRoles,
  approval: moneyRoles,
}

/** Whether a role has an action to confirm. */
export const mayConfirm = (role: MerchantRole, action: ProofAction): boolean =>
  rolesOfActions[action]?.includes(role) ?? true

/** Whether a role has an action that a code of this purpose confirms; codes for nothing of a shop are everybody's. */
export function mayRequestCode(role: MerchantRole, channel: 'email' | 'phone', purpose: number): boolean {
  if (channel === 'email' && purpose === emailCodePurpose.opening) return role === 'owner'
  const confirmed = (Object.keys(proofActions) as ProofAction[]).filter(
    action => proofActions[action][channel] === purpose,
  )
  // The codes of a withdrawal also confirm how actions are confirmed, which is the person's.
  return confirmed.length === 0 || confirmed.some(action => mayConfirm(role, action))
}
