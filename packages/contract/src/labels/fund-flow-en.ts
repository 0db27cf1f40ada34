import type { FundFlowType } from '../codes.ts'
import type { FundAccount, FundFlowDirection, PaymentType } from '../fund-flow/routes.ts'

export const flowType: Record<FundFlowType, string> = {
  payment: 'Payment',
  recharge: 'Recharge',
  refund: 'Refund',
  withdrawal: 'Withdrawal',
  transfer: 'Transfer',
  fee: 'Fee',
  gas: 'Gas',
  adjustment: 'Adjustment',
}
export const paymentType: Record<PaymentType, string> = {
  on_chain: 'On-chain',
  internal: 'Internal',
  reserve: 'Reserve',
  platform: 'Platform',
}
export const fundAccount: Record<FundAccount, string> = { available: 'Available balance', held: 'Reserved balance' }
export const flowDirection: Record<FundFlowDirection, string> = { in: 'Incoming', out: 'Outgoing' }
