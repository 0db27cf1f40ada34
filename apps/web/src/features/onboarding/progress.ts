import { codeNameOf, type MerchantState, merchantStatus } from '@coffer/contract/codes.ts'

export type ReviewStepName = 'submitted' | 'primary' | 'advanced' | 'completed'
export type ReviewStepState = 'done' | 'current' | 'waiting'

const order: ReviewStepName[] = ['submitted', 'primary', 'advanced', 'completed']

/** Number of completed steps by status. Other statuses are not under review. */
const behind: Partial<Record<MerchantState, number>> = { primary_audit: 1, advanced_audit: 2, approved: 4 }

/** The review steps, or null when there is no review (not opened, failed, abnormal). */
export function buildReviewSteps(status: number): { name: ReviewStepName; state: ReviewStepState }[] | null {
  const state = codeNameOf(merchantStatus, status)
  const done = state && behind[state]
  if (done === undefined) return null
  return order.map((name, index) => ({ name, state: index < done ? 'done' : index === done ? 'current' : 'waiting' }))
}

/** Whether the form may be submitted: before a request and after a failed audit. */
export const canRequestMerchantPermission = (status: number): boolean =>
  status === merchantStatus.not_opened || status === merchantStatus.failed_audit
