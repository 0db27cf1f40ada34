import { moneyRoles } from '../kit/merchant-roles.ts'

/** Roles whose members may approve payouts, and which a policy may name as approvers. */
export const approverRoles = moneyRoles
export type ApproverRole = (typeof approverRoles)[number]
