/** Roles of operators, from the one that may only read to the one that may do everything. */
export const operatorRoleNames = ['viewer', 'support', 'finance', 'owner'] as const
export type OperatorRole = (typeof operatorRoleNames)[number]

export const allOperatorRoles = operatorRoleNames
export const ownerRoles = ['owner'] as const
export const supportRoles = ['support', 'owner'] as const
export const financeRoles = ['finance', 'owner'] as const
/** Everybody who may change something. */
export const editingRoles = ['support', 'finance', 'owner'] as const

/** How long (s) a code of the authenticator counts as fresh. */
export const freshCodeSeconds = 300
