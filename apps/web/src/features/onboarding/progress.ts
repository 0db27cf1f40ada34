import { merchantStatus } from '@coffer/contract/codes.ts'

export type StepName = 'submitted' | 'primary' | 'advanced' | 'completed'
export type StepState = 'done' | 'current' | 'waiting'

const order: StepName[] = ['submitted', 'primary', 'advanced', 'completed']

/** How many steps are behind the merchant. A status that is not on the way has none. */
const behind: Record<number, number> = {
  [merchantStatus.primaryAudit]: 1,
  [merchantStatus.advancedAudit]: 2,
  [merchantStatus.approved]: 4,
}

/** The way of an application for merchant permission, or null when it is not on the way (not asked, failed, abnormal). */
export function reviewSteps(status: number): { name: StepName; state: StepState }[] | null {
  const done = behind[status]
  if (done === undefined) return null
  return order.map((name, index) => ({ name, state: index < done ? 'done' : index === done ? 'current' : 'waiting' }))
}

/** Whether the form may be sent: before the first audit and after a failed one. */
export const mayApply = (status: number): boolean =>
  status === merchantStatus.notOpened || status === merchantStatus.failedAudit
