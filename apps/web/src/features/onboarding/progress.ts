import { type MerchantState, merchantStatus, nameOf } from '@coffer/contract/codes.ts'

export type StepName = 'submitted' | 'primary' | 'advanced' | 'completed'
export type StepState = 'done' | 'current' | 'waiting'

const order: StepName[] = ['submitted', 'primary', 'advanced', 'completed']

/** How many steps are behind the merchant. A status that is not on the way has none. */
const behind: Partial<Record<MerchantState, number>> = { primary_audit: 1, advanced_audit: 2, approved: 4 }

/** The way of an application for merchant permission, or null when it is not on the way (not asked, failed, abnormal). */
export function reviewSteps(status: number): { name: StepName; state: StepState }[] | null {
  const state = nameOf(merchantStatus, status)
  const done = state && behind[state]
  if (done === undefined) return null
  return order.map((name, index) => ({ name, state: index < done ? 'done' : index === done ? 'current' : 'waiting' }))
}

/** Whether the form may be sent: before the first audit and after a failed one. */
export const mayApply = (status: number): boolean =>
  status === merchantStatus.not_opened || status === merchantStatus.failed_audit
