import type { OperatorRole } from '../kit/operator-roles.ts'
import type { RouteDefinition } from '../kit/route.ts'
import { type OperatorKey, type OperatorRoutes, operatorRoutes } from './index.ts'

/** Calls that need a role. */
export type RoleKey = {
  [K in OperatorKey]: OperatorRoutes[K] extends { who: readonly OperatorRole[] } ? K : never
}[OperatorKey]

interface NeedsRole {
  who: readonly OperatorRole[]
  fresh?: true
}

const needRole = Object.entries<RouteDefinition & Partial<NeedsRole | { who: 'oneself' }>>(operatorRoutes).filter(
  ([, { who }]) => typeof who === 'object',
) as [RoleKey, NeedsRole][]

/** Who may make a call. One that is not listed needs no role. */
export const operatorRoles = Object.fromEntries(needRole.map(([key, { who }]) => [key, who])) as Record<
  RoleKey,
  readonly OperatorRole[]
>

/** Calls that need a code of the authenticator entered in this session within `freshSeconds`. */
export const freshCalls: readonly RoleKey[] = needRole.flatMap(([key, { fresh }]) => (fresh ? key : []))

export type ChangeKey = Exclude<RoleKey, `GET ${string}`>
/** Whether a call of operators changes something by a role. */
export const isChange = (key: string): key is ChangeKey => Object.hasOwn(operatorRoles, key) && !key.startsWith('GET ')
/** Calls that change something, in the order of the contract. */
export const changes: readonly ChangeKey[] = Object.keys(operatorRoles).filter(isChange)
