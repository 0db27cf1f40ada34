/** Roles of operators, from the one that may only read to the one that may do everything. */
export const operatorRoleNames = ['viewer', 'support', 'finance', 'owner'] as const
export type OperatorRole = (typeof operatorRoleNames)[number]

export const everyone = operatorRoleNames
export const owner = ['owner'] as const
export const support = ['support', 'owner'] as const
export const finance = ['finance', 'owner'] as const
/** Everybody who may change something. */
export const worksOn = ['support', 'finance', 'owner'] as const

/** How long (s) a code of the authenticator counts as fresh. */
export const freshSeconds = 300
