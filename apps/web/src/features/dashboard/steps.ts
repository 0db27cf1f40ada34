import { merchantStatus } from '@coffer/contract/codes.ts'

export type StepName = 'open' | 'apply' | 'pay'
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
    { name: 'apply', state: applications > 0 ? 'done' : 'todo' },
    { name: 'pay', state: 'todo' },
  ]
}

/** A shell command that creates a payment. The key is read from a variable to keep it out of the shell history. */
export const firstPaymentCommand = (origin: string): string =>
  [
    `curl ${origin}/api/v1/pay/orders \\`,
    `  -H "Authorization: Bearer $COFFER_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"out_trade_no": "first-1", "amount": "10", "currency": "USDT"}'`,
  ].join('\n')
