import { merchantStatus } from '@coffer/contract/codes.ts'

export type FirstStepName = 'open' | 'pay' | 'apply' | 'secure'
export interface FirstStep {
  name: FirstStepName
  /** `review`: submitted, waiting for the operator. */
  state: 'done' | 'review' | 'todo'
}

interface Known {
  /** The merchant status of user info. */
  status: number
  /** Those for servers. */
  applications: number
  paidPayments: number
  hasAuthenticator: boolean
}

const underReview: number[] = [merchantStatus.primary_audit, merchantStatus.advanced_audit]

/** Paid payments after which a merchant is no newcomer: who takes them by links needs no server. */
export const maxNewcomerPayments = 10

const stateOf = (isDone: boolean) => (isDone ? 'done' : 'todo')

/** The first steps of a merchant; null once paid by a server of theirs, or often enough. */
export function buildFirstSteps({ status, applications, paidPayments, hasAuthenticator }: Known): FirstStep[] | null {
  const isPaid = paidPayments > 0
  if ((isPaid && applications > 0) || paidPayments >= maxNewcomerPayments) return null
  const approved = status === merchantStatus.approved
  return [
    { name: 'open', state: approved ? 'done' : underReview.includes(status) ? 'review' : 'todo' },
    { name: 'pay', state: stateOf(isPaid) },
    { name: 'apply', state: stateOf(applications > 0) },
    { name: 'secure', state: stateOf(hasAuthenticator) },
  ]
}
