import type { CallbackState, DepositState, PaymentException, PaymentState, WithdrawalState } from '../codes.ts'

export const payment: Record<PaymentState, string> = {
  open: 'To be paid',
  paid: 'Account paid',
  timed_out: 'Transaction timeout',
  closed: 'Transaction closed',
  refunding: 'Under refund',
  refunded: 'Refunded',
  in_doubt: 'Error',
  dropped: 'Chain confirmation failure',
}

export const exception: Record<PaymentException, string> = {
  none: 'None',
  partial: 'Partly paid',
  over: 'Overpaid',
  late: 'Late',
  marked_paid: 'Marked as paid',
  marked_invalid: 'Marked as invalid',
}

export const callback: Record<CallbackState, string> = {
  pending: 'To be confirmed',
  delivered: 'Success',
  retrying: 'Failed',
  given_up: 'Callback timeout',
  withheld: 'Withheld',
}

export const withdrawal: Record<WithdrawalState, string> = {
  auditing: 'Auditing',
  audit_rejected: 'Audit rejected',
  transferring: 'Transferring',
  confirming: 'Confirming',
  accomplished: 'Accomplished',
  canceled: 'Canceled',
  abnormal: 'Abnormal',
}

export const depositState: Record<DepositState, string> = {
  seen: 'Confirming',
  credited: 'Credited',
  dropped: 'Dropped by the chain',
  undone: 'Reversed',
}
