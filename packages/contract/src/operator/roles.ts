import type { accountRoutes } from './account.ts'
import type { OperatorKey } from './index.ts'

/** Roles of operators, from the one that may only read to the one that may do everything. */
export const operatorRoleNames = ['viewer', 'support', 'finance', 'owner'] as const
export type OperatorRole = (typeof operatorRoleNames)[number]

/** Calls that need no role: they open, confirm or end a session. */
export type OwnKey = Exclude<keyof typeof accountRoutes, `${string}/operators${string}` | `${string}/log`>
/** Calls that need a role. */
export type RoleKey = Exclude<OperatorKey, OwnKey>

const everyone = operatorRoleNames
const owner = ['owner'] as const

/** Who may make a call. A call that is not listed does not compile, and one of no role is refused to everybody. */
export const operatorRoles: Record<RoleKey, readonly OperatorRole[]> = {
  'GET /api/operator/v1/operators': everyone,
  'POST /api/operator/v1/operators': owner,
  'PUT /api/operator/v1/operators/:id': owner,
  'POST /api/operator/v1/operators/:id/link': owner,
  'DELETE /api/operator/v1/operators/:id': owner,
  'GET /api/operator/v1/log': everyone,
}

/** Calls that need a code of the authenticator entered in this session within `freshSeconds`: those about money, freezing and accounts. */
export const freshCalls: readonly RoleKey[] = [
  'POST /api/operator/v1/operators',
  'PUT /api/operator/v1/operators/:id',
  'POST /api/operator/v1/operators/:id/link',
  'DELETE /api/operator/v1/operators/:id',
]
export const freshSeconds = 300
