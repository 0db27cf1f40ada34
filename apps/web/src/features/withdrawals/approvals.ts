import type { RouteBody, RouteData } from '@coffer/contract'

/** A withdrawal that waits for this member. */
export type WaitingWithdrawal = RouteData<'GET /api/v1/approval'>['list'][number]
export type ApprovalDecision = RouteBody<'POST /api/v1/approval/decide'>['decision']

/** About how many the server takes one decision. */
export const decidedAtOnceMax = 20
