import { merchantStatus } from '@coffer/contract/codes.ts'

export type StepName = 'open' | 'pay' | 'apply'
export interface Step {
  name: StepName
  /** `review`: submitted, waiting for the operator. */
  state: 'done' | 'review' | 'todo'
}

interface Known {
  /** The merchant status of user info. */
  status: number
  applications: number
  paidPayments: number
}

const underReview: number[] = [merchantStatus.primary_audit, merchantStatus.advanced_audit]

/** The steps to the first paid payment; null after it. */
export function firstSteps({ status, applications, paidPayments }: Known): Step[] | null {
  if (paidPayments > 0) return null
  const approved = status === merchantStatus.approved
  return [
    { name: 'open', state: approved ? 'done' : underReview.includes(status) ? 'review' : 'todo' },
    { name: 'pay', state: 'todo' },
    { name: 'apply', state: applications > 0 ? 'done' : 'todo' },
  ]
}
