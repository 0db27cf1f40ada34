import { routes } from '@coffer/contract'
import { type Audience, audienceCalls } from '@coffer/contract/events.ts'
import { everyRole, type MerchantRole, seesOwnPaymentsOnly } from '@coffer/contract/kit/merchant-roles.ts'
import { asOperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import { operatorRoles, type RoleRestrictedCall } from '@coffer/contract/operator/calls.ts'

/** Who reads notifications of a shop: a member, by the role of the request. */
export interface NotificationReader {
  merchantId: string
  personId: string
  role: MerchantRole
}

const readPayments: readonly MerchantRole[] = routes[audienceCalls.payments].who
/** Roles that get notifications of the payments that the person collected, the audience `collected`. */
export const rolesThatCollect = readPayments.filter(seesOwnPaymentsOnly)

/** Returns the roles that an audience consists of: those that may make the call that it leads to. */
export function rolesOfAudience(audience: Audience): readonly MerchantRole[] {
  if (audience === 'self') return everyRole
  const { who } = routes[audienceCalls[audience]]
  return audience === 'payments' ? readPayments.filter(role => !seesOwnPaymentsOnly(role)) : who
}

/** The roles that read each audience as it is stored; '' are notifications from before members. */
const readers: Record<string, readonly MerchantRole[]> = {
  '': ['owner'],
  self: everyRole,
  collected: readPayments,
  ...Object.fromEntries(Object.keys(audienceCalls).map(name => [name, rolesOfAudience(name as Audience)])),
}

/** Returns the audiences that a role reads, none for an unknown one. */
export const audiencesOfRole = (role: MerchantRole | undefined): string[] =>
  Object.keys(readers).filter(audience => role && readers[audience]?.includes(role))

/** Whether an operator of a stored role may make a call. */
export function mayOperatorCall(role: string, call: string): boolean {
  const known = asOperatorRole(role)
  return known !== undefined && (operatorRoles[call as RoleRestrictedCall] ?? []).includes(known)
}
