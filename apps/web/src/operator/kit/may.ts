import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import type { RoleRestrictedCall } from '@coffer/contract/operator/calls.ts'
import { operatorRoles } from './generated/roles.ts'

/** A call that needs no role, such as who is signed in, or one that does. */
const isRestricted = (key: string): key is RoleRestrictedCall => Object.hasOwn(operatorRoles, key)

/** Whether a role may make a call, by the same table as on the server; nothing while the role is not known. */
export const canRoleCall = (role: OperatorRole | undefined, key: string): boolean =>
  !isRestricted(key) || (role !== undefined && operatorRoles[key].includes(role))
