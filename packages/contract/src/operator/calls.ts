import type { OperatorRole } from '../kit/operator-roles.ts'
import type { RouteDefinition } from '../kit/route.ts'
import { type OperatorKey, type OperatorRoutes, operatorRoutes } from './index.ts'

/** Calls that need a role. */
export type RoleRestrictedCall = {
  [K in OperatorKey]: OperatorRoutes[K] extends { who: readonly OperatorRole[] } ? K : never
}[OperatorKey]

interface NeedsRole {
  who: readonly OperatorRole[]
  fresh?: true
}

const needRole = Object.entries<RouteDefinition & Partial<NeedsRole | { who: 'oneself' }>>(operatorRoutes).filter(
  ([, { who }]) => typeof who === 'object',
) as [RoleRestrictedCall, NeedsRole][]

/** Who may make a call. One that is not listed needs no role. */
export const operatorRoles = Object.fromEntries(needRole.map(([key, { who }]) => [key, who])) as Record<
  RoleRestrictedCall,
  readonly OperatorRole[]
>

/** Calls that need a code of the authenticator entered in this session within `freshSeconds`. */
export const freshCodeCalls: readonly RoleRestrictedCall[] = needRole.flatMap(([key, { fresh }]) => (fresh ? key : []))

export type OperatorChangeCall = Exclude<RoleRestrictedCall, `GET ${string}`>
/** Whether a call of operators changes something by a role. */
export const isOperatorChangeCall = (key: string): key is OperatorChangeCall =>
  Object.hasOwn(operatorRoles, key) && !key.startsWith('GET ')
/** Calls that change something, in the order of the contract. */
export const operatorChangeCalls: readonly OperatorChangeCall[] =
  Object.keys(operatorRoles).filter(isOperatorChangeCall)

/** Calls with a button and a dialog. */
export type ActionCall = {
  [K in OperatorChangeCall]: OperatorRoutes[K] extends { dialog: object } ? K : never
}[OperatorChangeCall]
